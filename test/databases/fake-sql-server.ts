import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

const preLogin = 0x12;
const answer = 4;

/** One packet of TDS, the last of its message. */
export function packet(type: number, body: Buffer): Buffer {
  const header = Buffer.from([type, 1, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(body.length + header.length, 2);
  return Buffer.concat([header, body]);
}

/** The answer to PRELOGIN: version 16, encryption is on. */
const preLoginAnswer = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 1]);

/** The end of a login, at which the server leads the client to another address. */
export function routing(host: string, port: number): Buffer {
  const name = Buffer.from(host, 'utf16le');
  const value = Buffer.alloc(5);
  value.writeUInt16LE(port, 1);
  value.writeUInt16LE(host.length, 3);
  const change = Buffer.concat([Buffer.from([20]), lengthOf(value.length + name.length), value, name, Buffer.alloc(2)]);
  const program = Buffer.from('fake', 'utf16le');
  const login = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4, 4]), program, Buffer.from([16, 0, 0, 0])]);
  const tokens = [
    Buffer.from([0xe3]),
    lengthOf(change.length),
    change,
    Buffer.from([0xad]),
    lengthOf(login.length),
    login,
  ];
  return packet(answer, Buffer.concat([...tokens, Buffer.from([0xfd]), Buffer.alloc(12)]));
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(length);
  return bytes;
}

/** A server that speaks TDS with TLS up to the login, and answers the login with given bytes. */
export async function startSqlServer(
  tls: { readonly keyPem: string; readonly certPem: string },
  toLogin: () => Buffer,
): Promise<{ readonly server: Server; readonly port: number }> {
  // With TLS 1.3 tickets would follow the handshake, which alone is in packets.
  const secureContext = createSecureContext({ key: tls.keyPem, cert: tls.certPem, maxVersion: 'TLSv1.2' });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(packet(answer, preLoginAnswer));
      const secure = new TLSSocket(inPackets(socket), { isServer: true, secureContext });
      secure.on('error', () => undefined).on('data', () => secure.write(toLogin()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** The bytes of TLS, whose handshake is in packets on the wire. */
function inPackets(socket: Socket): Duplex {
  let isHandshake = true;
  const duplex = new Duplex({
    read() {},
    write: (chunk: Buffer, _, done) => void socket.write(isHandshake ? packet(preLogin, chunk) : chunk, done),
  });
  duplex.on('error', () => undefined);
  socket.on('close', () => duplex.push(null));
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest[0] === preLogin && rest.length >= 8 && rest.length >= rest.readUInt16BE(2)) {
      const length = rest.readUInt16BE(2);
      duplex.push(rest.subarray(8, length));
      rest = rest.subarray(length);
    }
    if (rest.length === 0 || rest[0] === preLogin) return;
    isHandshake = false;
    duplex.push(rest);
    rest = Buffer.alloc(0);
  });
  return duplex;
}
