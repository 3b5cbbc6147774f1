import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A private key and the certificate of its public key, both PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Tags of DER (X.690). */
const tags = { integer: 0x02, bits: 0x03, utf8: 0x0c, utcTime: 0x17, time: 0x18, sequence: 0x30, set: 0x31 } as const;
/** Object identifiers with their tag and length: 1.2.840.10045.4.3.2 and 2.5.4.3. */
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex');
const commonNameId = Buffer.from('0603550403', 'hex');

/**
 * A new P-256 key with a certificate that it signs itself, for a TLS server whose clients do not verify the certificate. It
 * is valid from 1970 without an end (RFC 5280, 4.1.2.5), and has no extensions, which is version 1.
 */
export function selfSigned(commonName: string): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(tags.sequence, ecdsaWithSha256);
  const attribute = der(tags.sequence, commonNameId, der(tags.utf8, Buffer.from(commonName)));
  const name = der(tags.sequence, der(tags.set, attribute));
  const validity = der(
    tags.sequence,
    der(tags.utcTime, Buffer.from('700101000000Z')),
    der(tags.time, Buffer.from('99991231235959Z')),
  );
  // A first bit of 01 keeps the number positive and its length constant.
  const serial = der(tags.integer, Buffer.from([0x40]), randomBytes(15));
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const unsigned = der(tags.sequence, serial, algorithm, name, validity, name, spki);
  const signature = der(tags.bits, Buffer.from([0]), sign('sha256', unsigned, privateKey));
  const lines =
    der(tags.sequence, unsigned, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value of less than 64 KiB in DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
