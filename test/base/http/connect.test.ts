import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedTlsContext } from '../../../runtime/base/http/connect.ts';

/** Runs `use` with NODE_EXTRA_CA_CERTS naming a file that does not exist yet. */
function withRootsFile(use: (file: string) => void): void {
  const before = process.env['NODE_EXTRA_CA_CERTS'];
  const file = join(tmpdir(), `azimuth-roots-${process.pid}.pem`);
  process.env['NODE_EXTRA_CA_CERTS'] = file;
  try {
    use(file);
  } finally {
    rmSync(file, { force: true });
    if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
    else process.env['NODE_EXTRA_CA_CERTS'] = before;
  }
}

test('the certificates of a pool are read when it first connects, and once', () => {
  withRootsFile((file) => {
    const context = sharedTlsContext({});
    expect(context).toThrow(/ENOENT/);
    writeFileSync(file, '');
    const made = context();
    rmSync(file);
    expect(context()).toBe(made);
  });
});

test('a file of further certificates with more than 4 MiB is not read', () => {
  withRootsFile((file) => {
    writeFileSync(file, '\n'.repeat(4 * 1024 * 1024 + 1));
    expect(sharedTlsContext({})).toThrow(/longer than 4194304 bytes/);
  });
});

test('an unreadable certificate is an error of each connection', () => {
  expect(sharedTlsContext({ cert: 'no certificate', key: 'no key' })).toThrow(/PEM|no start line/i);
});
