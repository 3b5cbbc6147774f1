import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { messageOf } from '../errors.ts';
import { lookupWithLocalhost } from './connect.ts';

export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * A connection to a host through a proxy that reads nothing of it: CONNECT over http or https (RFC 9110 9.3.6), or socks5, which
 * looks names up itself (RFC 1928). User and password come from the proxy's URL. Errors name the proxy's host, and no secret.
 */
export async function openTunnel(proxy: URL, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  try {
    if (/^https?:$/.test(proxy.protocol)) return await throughHttp(proxy, target, signal);
    if (/^socks5?h?:$/.test(proxy.protocol)) return await throughSocks(proxy, target, signal);
  } catch (cause) {
    const reason = signal.aborted ? signal.reason : cause;
    // Of a name with several addresses, each of which failed.
    const { errors = [] } = reason as { errors?: unknown[] };
    throw new Error(`the proxy ${proxy.host}: ${messageOf(reason) || errors.map(messageOf).join('; ')}`);
  }
  throw new Error(`the proxy ${proxy.host}: expected http, https or socks5, got ${proxy.protocol.slice(0, -1)}`);
}

function throughHttp(proxy: URL, { host, port }: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const [user, password] = userOf(proxy);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: bare(proxy.hostname),
    port: proxy.port || undefined,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, connection: 'keep-alive', ...(user && { 'proxy-authorization': `Basic ${basic}` }) },
    agent: false,
    lookup: lookupWithLocalhost,
    signal,
  });
  return new Promise((resolve, reject) => {
    request.once('connect', (answer: IncomingMessage, socket: Socket, early: Buffer) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        reject(new Error(`answered CONNECT ${authority} with ${answer.statusCode}`));
        return;
      }
      if (early.length > 0) socket.unshift(early);
      resolve(socket);
    });
    request.on('error', reject);
    request.end();
  });
}

async function throughSocks(proxy: URL, { host, port }: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const socket = connect({
    host: bare(proxy.hostname),
    port: Number(proxy.port || 1080),
    lookup: lookupWithLocalhost,
  });
  // Each step hears of it by what it waits for.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    const [user, password] = userOf(proxy);
    socket.write(user === '' ? Uint8Array.of(5, 1, 0) : Uint8Array.of(5, 2, 0, 2));
    const [version, method] = await take(socket, 2, signal);
    if (version !== 5) throw new Error('does not speak SOCKS 5');
    if (method === 2) {
      socket.write(Buffer.concat([Uint8Array.of(1), counted(user), counted(password)]));
      const [, refused] = await take(socket, 2, signal);
      if (refused !== 0) throw new Error('refused user and password');
    } else if (method !== 0) {
      throw new Error(user === '' ? 'wants a user and password' : 'takes no user and password');
    }
    socket.write(Buffer.concat([Uint8Array.of(5, 1, 0), addressOf(host), Uint8Array.of(port >> 8, port & 255)]));
    const [, reply, , kind] = await take(socket, 4, signal);
    if (reply !== 0) throw new Error(`answered for ${host}:${port} with SOCKS reply ${reply}`);
    const [length = 0] = kind === 1 ? [4] : kind === 4 ? [16] : await take(socket, 1, signal);
    await take(socket, length + 2, signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** So many bytes of what comes, no more. */
async function take(socket: Socket, bytes: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const taken: Buffer | null = socket.read(bytes);
    if (taken?.length === bytes) return taken;
    if (socket.readableEnded || socket.destroyed || taken) throw new Error('ended the connection');
    await once(socket, 'readable', { signal });
  }
}

function addressOf(host: string): Buffer {
  switch (isIP(host)) {
    case 0:
      return Buffer.concat([Uint8Array.of(3), counted(host)]);
    case 4:
      return Buffer.of(1, ...host.split('.').map(Number));
    default: {
      const [head = [], tail = []] = host.split('::').map((part) => part.split(':').filter(Boolean));
      const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
      return Buffer.from(`04${groups.map((group) => group.padStart(4, '0')).join('')}`, 'hex');
    }
  }
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name, user or password is longer than the 255 bytes of SOCKS');
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

function userOf({ username, password }: URL): [string, string] {
  return [decodeURIComponent(username), decodeURIComponent(password)];
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
