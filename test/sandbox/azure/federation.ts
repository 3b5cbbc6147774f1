import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Ids } from '../../../sandbox/azure/ids.ts';
import { issueCertificate, type KeyAndCertificate } from '../../../sandbox/azure/pki.ts';

/** An OpenID issuer with a CA of its own, as a Kubernetes API server is one. */
export class TestIssuer {
  readonly #server: Server;
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly caPem: string;
  issuer = '';

  private constructor(server: Server, caPem: string) {
    this.#server = server;
    this.caPem = caPem;
    server.on('request', (request, response) => {
      const keys = [{ ...this.#key.publicKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }];
      const body = request.url?.includes('openid-configuration')
        ? { issuer: this.issuer, jwks_uri: `${this.issuer}/openid/v1/jwks` }
        : { keys };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  static async start(): Promise<TestIssuer> {
    const ids = new Ids(undefined, { counter: 0 });
    const now = Date.now();
    const ca = await issueCertificate({ commonName: 'issuer CA', ids, now, days: 1, ca: true });
    const tls: KeyAndCertificate = await issueCertificate({
      commonName: 'localhost',
      ids,
      now,
      days: 1,
      issuer: ca,
      dnsNames: ['localhost'],
    });
    const server = createServer({ key: tls.keyPem, cert: tls.certPem, keepAliveTimeout: 90_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TestIssuer(server, ca.certPem);
    issuer.issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    return issuer;
  }

  /** A token with these claims laid over sensible ones; times in seconds. */
  token(claims: Record<string, unknown>, nowMs = Date.now()): string {
    const now = Math.floor(nowMs / 1000);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encode({ alg: 'RS256', kid: 'test' })}.${encode({ iss: this.issuer, iat: now, nbf: now, exp: now + 600, ...claims })}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), this.#key.privateKey).toString('base64url')}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
