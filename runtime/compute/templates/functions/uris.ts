import { type TemplateValue, templateObject } from '../values/value.ts';
import { type FunctionTable, fail, intAt, objectAt, stringAt } from './function-spec.ts';

/** Functions of URIs. */
export const uris: FunctionTable = {
  buildUri: {
    arity: [1, 1],
    doc: 'A URI of scheme, host, port, path and query; all but scheme and host may be missing.',
    evaluate: (args, call) => {
      const parts = objectAt(args, 0, call);
      const text = (name: string) => {
        const value = parts[name];
        return value === undefined || value === null ? '' : stringAt([value], 0, call);
      };
      const [scheme, host, path, query] = [text('scheme'), text('host'), text('path'), text('query')];
      if (!/^[A-Za-z][-+.A-Za-z0-9]{0,30}$/.test(scheme) || host === '') fail(call, 'a scheme and a host are needed');
      const port = parts['port'] === undefined || parts['port'] === null ? '' : `:${intAt([parts['port']], 0, call)}`;
      const slash = path === '' || path.startsWith('/') ? '' : '/';
      const mark = query === '' || query.startsWith('?') ? '' : '?';
      return `${scheme}://${host}${port}${path === '' ? '/' : `${slash}${path}`}${mark}${query}`;
    },
  },
  parseUri: {
    arity: [1, 1],
    doc: 'The parts of an absolute URI: scheme, host, port, path, query.',
    evaluate: (args, call) => {
      const text = stringAt(args, 0, call);
      const url = URL.parse(text) ?? fail(call, 'argument 1 is no absolute URI');
      const members: [string, TemplateValue][] = [
        ['scheme', url.protocol.slice(0, -1)],
        ['host', url.hostname],
        ...(url.port === '' ? [] : [['port', Number(url.port)] as [string, TemplateValue]]),
        ['path', url.pathname],
        ...(url.search === '' ? [] : [['query', url.search] as [string, TemplateValue]]),
      ];
      return templateObject(members);
    },
  },
};
