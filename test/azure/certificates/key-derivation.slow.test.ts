import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import forge from 'node-forge';
import { parseCertificateBundle } from '../../../runtime/azure/certificates/certificate-bundle.ts';
import {
  maxRounds,
  maxRoundsAtOnce,
  pbkdf2,
  pkcs12Key,
  Rounds,
} from '../../../runtime/azure/certificates/key-derivation.ts';
import { fixtureBytes, fixturePassword, fixturePem } from '../fixtures/client-certificates.ts';

/** All were made by OpenSSL. */
const billions = '\x7f\xff\xff\xff';

interface Patch {
  /** Which of the numbers that look like `from`, in the order of the file. */
  readonly which: number;
  /** @default 2048 */
  readonly from?: string;
  /** @default 2147483647 */
  readonly to?: string;
  /** Leaves out the MAC, which the change breaks; whoever knows the password could make another. */
  readonly withoutMac?: boolean;
}

/** A file with another iteration count, also within the DER that lies in its octet strings. */
function patched(der: Buffer, { which, from = '\x08\x00', to = billions, withoutMac = false }: Patch): Buffer {
  let seen = 0;
  const visit = (node: forge.asn1.Asn1): forge.asn1.Asn1 => {
    if (Array.isArray(node.value)) node.value = node.value.map(visit) as forge.asn1.Asn1[];
    else if (node.type === forge.asn1.Type.INTEGER && node.value === from && seen++ === which) node.value = to;
    else if (node.type === forge.asn1.Type.OCTETSTRING && (node.value as unknown as string).startsWith('\x30\x82')) {
      node.value = inside(node.value as unknown as string) as unknown as forge.asn1.Asn1[];
    }
    return node;
  };
  const inside = (content: string): string => {
    try {
      return forge.asn1.toDer(visit(forge.asn1.fromDer(content))).getBytes();
    } catch {
      return content;
    }
  };
  const file = visit(forge.asn1.fromDer(der.toString('latin1')));
  if (withoutMac) (file.value as forge.asn1.Asn1[]).pop();
  const made = Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
  expect(made.equals(der)).toBe(false);
  return made;
}

function patchedPem(name: string, patch: Patch): string {
  const base64 = fixturePem(name).replaceAll(/-----.*-----|\s/g, '');
  const key = patched(Buffer.from(base64, 'base64'), patch).toString('base64');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${key.replaceAll(/.{64}/g, '$&\n')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

const refused: [string, Buffer | string, RegExp][] = [
  ['the certificates of a PKCS#12 file', patched(fixtureBytes('modern'), { which: 0, withoutMac: true }), /2147483647/],
  ['the key of a PKCS#12 file', patched(fixtureBytes('modern'), { which: 1, withoutMac: true }), /2147483647/],
  ['the MAC of a PKCS#12 file', patched(fixtureBytes('modern'), { which: 2 }), /2147483647/],
  [
    'the certificates of an older PKCS#12 file',
    patched(fixtureBytes('legacy'), { which: 0, withoutMac: true }),
    /2147483647/,
  ],
  ['the key of an older PKCS#12 file', patched(fixtureBytes('legacy'), { which: 1, withoutMac: true }), /2147483647/],
  ['the MAC of an older PKCS#12 file', patched(fixtureBytes('legacy'), { which: 2 }), /2147483647/],
  ['a PKCS#8 key in PEM', fixturePem('certificate') + patchedPem('encryptedKey', { which: 0 }), /2147483647/],
  [
    'a PKCS#8 key in PEM with a number of 16 bytes',
    fixturePem('certificate') + patchedPem('encryptedKey', { which: 0, to: `\x01${'\0'.repeat(15)}` }),
    /1\.3\d*e\+36/,
  ],
  [
    'the parallel runs of scrypt',
    fixturePem('certificate') + patchedPem('scryptKey', { which: 0, from: '\x01', to: '\x03\xe8' }),
    /131072000/,
  ],
];

test.each(refused)('a huge count in %s is refused before any of it is done', async (_, content, count) => {
  const error = (await parseCertificateBundle(content, fixturePassword, 'the Secret a/b').catch(
    (e: unknown) => e,
  )) as Error;
  expect(error).toMatchObject({ code: 'AZ_CONFIG_INVALID' });
  expect(error.message).toMatch(count);
  const max = Buffer.isBuffer(content) ? maxRounds : maxRoundsAtOnce;
  expect(error.message).toMatch(/the Secret a\/b.*that are read; write the file again with fewer/);
  expect(error.message).toContain(`more than the ${max} that`);
  expect(error.message).not.toMatch(/is the password right/);
});

test('counts that are small each are refused when they add up to too many', async () => {
  await expect(parseCertificateBundle(fixtureBytes('manyRounds'), fixturePassword, 'x')).rejects.toThrow(
    /take 1200000 rounds in all/,
  );
});

test('a key with scrypt, as OpenSSL writes it, is read', async () => {
  const { chain } = await parseCertificateBundle(
    fixturePem('certificate') + fixturePem('scryptKey'),
    fixturePassword,
    'x',
  );
  expect(chain).toHaveLength(1);
});

test.each([
  ['BER', '30800000'],
  ['an end in mid-number', '308204'],
  ['nothing', ''],
])('an encrypted key that is %s is refused, since OpenSSL would read what we did not', async (_, hex) => {
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  const key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
  await expect(parseCertificateBundle(fixturePem('certificate') + key, fixturePassword, 'x')).rejects.toThrow(
    /it is not DER/,
  );
});

test('an encrypted key that hides behind the label or the headers of another is refused', async () => {
  const key = patchedPem('encryptedKey', { which: 0 });
  const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00000000000000000000000000000000\n\n';
  const behind: [string, RegExp][] = [
    [key.replace('KEY-----\n', `KEY-----\n${headers}`), /it is not DER/],
    [`-----BEGIN RSA PRIVATE KEY-----\n${headers}${key}-----END RSA PRIVATE KEY-----\n`, /2147483647/],
  ];
  for (const [pem, reason] of behind) {
    await expect(parseCertificateBundle(fixturePem('certificate') + pem, fixturePassword, 'x')).rejects.toThrow(reason);
  }
});

type Generate = (
  password: string,
  salt: forge.util.ByteBuffer,
  purpose: number,
  iterations: number,
  length: number,
  digest: forge.md.MessageDigest,
) => forge.util.ByteBuffer;

test('keys are those that node-forge derives', async () => {
  const { generatePkcs12Key } = (forge.pki as unknown as { pbe: { generatePkcs12Key: Generate } }).pbe;
  const digests = ['sha1', 'sha256', 'sha512'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.uint8Array({ minLength: 1, maxLength: 90 }),
      fc.constantFrom(1, 2, 3),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 140 }),
      fc.constantFrom(...digests),
      async (secret, salt, purpose, iterations, length, digest) => {
        const given = { password: secret, salt: Buffer.from(salt), purpose, iterations, length, digest };
        const ours = await pkcs12Key(given, new Rounds());
        const text = Buffer.from(salt).toString('latin1');
        const theirs = generatePkcs12Key(
          secret,
          forge.util.createBuffer(text),
          purpose,
          iterations,
          length,
          forge.md[digest].create(),
        );
        expect(ours.toString('hex')).toBe(theirs.toHex());
        const ascii = Buffer.from(secret).toString('hex');
        expect(await pbkdf2(ascii, text, iterations, length, digest, new Rounds())).toBe(
          forge.pkcs5.pbkdf2(ascii, text, iterations, length, forge.md[digest].create()),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('as much as is allowed is read', () => {
  const rounds = new Rounds();
  rounds.take(maxRounds);
  expect(() => rounds.take(Number.NaN)).toThrow(/iteration count NaN/);
  expect(() => rounds.take(0)).toThrow(/iteration count 0/);
});

const long = '\x04\x93\xe0';
const slow: [string, Buffer, RegExp][] = [
  ['PKCS#12', patched(fixtureBytes('modern'), { which: 2, to: long }), /is the password right/],
  ['PBKDF2', patched(fixtureBytes('modern'), { which: 0, to: long, withoutMac: true }), /cannot be opened/],
];

test.each(slow)('the program goes on while a key is derived by 300,000 rounds of %s', async (_, content, reason) => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  count();
  await expect(parseCertificateBundle(content, fixturePassword, 'x')).rejects.toThrow(reason);
  done = true;
  expect(turns).toBeGreaterThan(50);
});

test('long derivations go one at a time, and short ones past them', async () => {
  const ended: string[] = [];
  const read = (name: string, content: Buffer) =>
    parseCertificateBundle(content, fixturePassword, 'x').then(
      () => ended.push(name),
      () => ended.push(name),
    );
  const [first, second] = slow.map(([, content]) => content) as [Buffer, Buffer];
  await Promise.all([
    read('first', first),
    read('second', second),
    read('third', first),
    read('short', fixtureBytes('modern')),
  ]);
  expect(ended).toEqual(['short', 'first', 'second', 'third']);
});

test('a file with very many encrypted parts is refused', async () => {
  const { privateKey: key } = forge.pki.rsa.generateKeyPair(512);
  const parts = (node: forge.asn1.Asn1 | undefined) => (node?.value ?? []) as forge.asn1.Asn1[];
  const withKeys = (count: number) => {
    const files = Array.from({ length: count }, () =>
      forge.pkcs12.toPkcs12Asn1(key, null as never, fixturePassword, { count: 1, useMac: false }),
    );
    const contentOf = (file: forge.asn1.Asn1) => parts(parts(parts(file)[1])[1])[0] as forge.asn1.Asn1;
    const all = files.map((file) => parts(forge.asn1.fromDer(contentOf(file).value as unknown as string))[0]);
    const [file] = files as [forge.asn1.Asn1];
    const safes = forge.asn1.create(
      forge.asn1.Class.UNIVERSAL,
      forge.asn1.Type.SEQUENCE,
      true,
      all as forge.asn1.Asn1[],
    );
    contentOf(file).value = forge.asn1.toDer(safes).getBytes() as never;
    return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
  };
  await expect(parseCertificateBundle(withKeys(20), fixturePassword, 'x')).rejects.toThrow(/it holds no certificate/);
  await expect(parseCertificateBundle(withKeys(60), fixturePassword, 'x')).rejects.toThrow(
    /more than 50 keys to read it\)$/,
  );
});
