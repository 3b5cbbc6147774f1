/** The meaning of a request's path and method, as k8s.io/apiserver's RequestInfo has it. */
export interface RequestInfo {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  /** Absent for /healthz, /version, discovery and the like; `verb` is then the lower-case method. */
  readonly resource?: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
    /** '' for all namespaces and for cluster-scoped resources. */
    readonly namespace: string;
    readonly name: string;
    readonly subresource: string;
  };
  readonly verb: string;
}

const flag = (query: URLSearchParams, name: string) => {
  const value = query.get(name);
  return value !== null && value !== 'false' && value !== '0';
};

/** Parses a request's path and query into the resource, the object and the verb. */
export function requestInfo(method: string, url: string): RequestInfo {
  const { pathname, searchParams: query } = new URL(url, 'https://sandbox.invalid');
  const path = pathname;
  const segments = pathname.split('/').filter(Boolean).map(decodeSegment);
  const plain = { path, query, method, verb: method.toLowerCase() };
  let group = '';
  let rest: string[];
  if (segments[0] === 'api') rest = segments.slice(1);
  else if (segments[0] === 'apis' && segments.length >= 3) {
    group = segments[1] as string;
    rest = segments.slice(2);
  } else return plain;
  const [version, ...parts] = rest;
  if (!version || parts.length === 0) return plain;
  let namespace = '';
  let [plural, name = '', ...more] = parts as [string, ...string[]];
  // `namespaces/x` is an object; `namespaces/x/pods` are the pods in it, unless the last part is one of its subresources.
  if (
    plural === 'namespaces' &&
    more.length > 0 &&
    !(more.length === 1 && namespaceSubresources.has(more[0] as string))
  ) {
    namespace = name;
    [plural, name = '', ...more] = more as [string, ...string[]];
  }
  if (plural === 'namespaces' && group === '') namespace = name;
  const subresource = more.join('/');
  const watch = flag(query, 'watch');
  const verbs: Record<string, string> = {
    GET: watch ? 'watch' : name ? 'get' : 'list',
    HEAD: name ? 'get' : 'list',
    POST: 'create',
    PUT: 'update',
    PATCH: 'patch',
    DELETE: name ? 'delete' : 'deletecollection',
  };
  return {
    path,
    query,
    method,
    verb: verbs[method] ?? method.toLowerCase(),
    resource: { group, version, plural, namespace, name, subresource },
  };
}

const namespaceSubresources = new Set(['status', 'finalize']);

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export { flag };
