import { posix } from 'node:path';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { parseJson } from '../../json/parse-json.ts';
import { AlreadyReported, quoted, TemplateError } from '../../problems.ts';
import type { TemplateValue } from '../../values/value.ts';
import { revealSecrets } from '../../values/value-info.ts';
import type { Shared } from '../instance.ts';
import { knownText } from '../tree.ts';

/** Where a deployment with a template stands. */
interface Place {
  readonly shared: Shared;
  /** The URI or path of the template around it; '' for the whole one. */
  readonly around: string;
  /** The value of a node, which must be known before the deployment. */
  readonly value: (node: JsonNode) => TemplateValue;
}

/**
 * The template of a deployment: the inline one, or the one that a link names, with its URI, path or id. Throws TemplateError
 * for a link whose template is not there, AlreadyReported for one that is no JSON.
 */
export function templateOf(
  properties: JsonNode | undefined,
  place: Place,
): { readonly template: JsonNode; readonly link: string | undefined } {
  const inline = memberOf(properties, 'template');
  const linkNode = memberOf(properties, 'templateLink');
  if (inline && linkNode) {
    throw new TemplateError('Structure', 'A deployment has properties.template or templateLink, not both: remove one');
  }
  if (inline?.kind === 'object') return { template: inline, link: undefined };
  if (!linkNode)
    throw new TemplateError('Structure', 'A deployment needs properties.template, an object, or templateLink');
  const link = linkOf(linkNode, place);
  const text = place.shared.linkedTemplate(link);
  if (text === undefined) {
    const message = `The linked template ${quoted(link)} is not there: give its folder (--template-root), or put it into properties.template`;
    throw new TemplateError('Unsupported', message);
  }
  const template = parseJson(text, place.shared.problems, link);
  if (!template) throw new AlreadyReported();
  return { template, link };
}

/** The name of a linked template: its id, its URI, or its path relative to the whole template. */
function linkOf(node: JsonNode, { around, value }: Place): string {
  const of = (name: string) => {
    const member = memberOf(node, name);
    return member && knownText(revealSecrets(value(member)), `${name} of templateLink`);
  };
  const [id, uri, path] = [of('id'), of('uri'), of('relativePath')];
  if (id !== undefined) return id;
  // The query is an access token, often out of a secure parameter.
  if (uri !== undefined) return withoutFile(uri.split('?')[0] as string);
  if (path === undefined) throw new TemplateError('Structure', 'templateLink needs id, uri or relativePath');
  if (/^https?:/i.test(around)) return URL.parse(path, around)?.href ?? path;
  return posix.normalize(posix.join(posix.dirname(around === '' ? '.' : around), path));
}

/** The path of a file beside a template that comes from a file. */
const withoutFile = (uri: string): string => uri.replace(/^file:\/\/\/(?=.)/i, '');
