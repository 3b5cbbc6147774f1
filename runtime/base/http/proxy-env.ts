import { BlockList, isIP } from 'node:net';

/**
 * The proxy for a URL by the environment: HTTPS_PROXY or HTTP_PROXY by the URL's scheme, unless NO_PROXY matches; upper
 * case names win. Loopback is never proxied. NO_PROXY takes `*`, hosts (subdomains included), `.domain` (subdomains
 * only), addresses, CIDR ranges, each optionally with a port: the rules that kubectl and other Go programs follow.
 */
export function proxyFromEnv(url: URL, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const of = (name: string) => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = of(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (!proxy) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || inRange(host, '127.0.0.0/8') || host === '::1') return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const exempt = (of('NO_PROXY') ?? '').split(/[,\s]+/).some((entry) => entry !== '' && matches(entry, host, port));
  if (exempt) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(host, entry);
  const [, bracketed, plain, wantedPort] = /^(?:\[(.+?)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const pattern = (bracketed ?? plain ?? entry).toLowerCase().replace(/^\*(?=\.)/, '');
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (isIP(host)) return pattern === host;
  return host === pattern || host.endsWith(pattern.startsWith('.') ? pattern : `.${pattern}`);
}

function inRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32))
    return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}
