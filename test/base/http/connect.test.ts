import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedTlsContext } from '../../../runtime/base/http/connect.ts';

test('the certificates of a pool are read when it first connects, and once', () => {
  const before = process.env['NODE_EXTRA_CA_CERTS'];
  const file = join(tmpdir(), `azimuth-roots-${process.pid}.pem`);
  process.env['NODE_EXTRA_CA_CERTS'] = file;
  try {
    const context = sharedTlsContext({});
    expect(context).toThrow(/ENOENT/);
    writeFileSync(file, '');
    const made = context();
    rmSync(file);
    expect(context()).toBe(made);
  } finally {
    rmSync(file, { force: true });
    if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
    else process.env['NODE_EXTRA_CA_CERTS'] = before;
  }
});

test('a certificate that cannot be read is told to whoever connects', () => {
  expect(sharedTlsContext({ cert: 'no certificate', key: 'no key' })).toThrow(/PEM|no start line/i);
});
