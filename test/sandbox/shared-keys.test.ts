import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ids } from '../../sandbox/azure/ids.ts';
import { sandboxKeys } from '../../sandbox/azure/pki.ts';
import { servingKeys } from '../../sandbox/kube/access/certificates.ts';
import { readWritten, writeOnce } from '../../sandbox/shared-keys.ts';

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-keys-'));
  const former = process.env['AZIMUTH_SANDBOX_KEYS'];
  try {
    process.env['AZIMUTH_SANDBOX_KEYS'] = directory;
    await run(directory);
  } finally {
    if (former === undefined) delete process.env['AZIMUTH_SANDBOX_KEYS'];
    else process.env['AZIMUTH_SANDBOX_KEYS'] = former;
    rmSync(directory, { recursive: true });
  }
}

test('of two processes that write one file the first wins, and only its owner may read it', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'below', 'value.json');
    expect(readWritten(file)).toBeUndefined();
    expect(writeOnce(file, { by: 'first' })).toEqual({ by: 'first' });
    expect(writeOnce(file, { by: 'second' })).toEqual({ by: 'first' });
    expect(readWritten(file)).toEqual({ by: 'first' });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readdirSync(join(directory, 'below'))).toEqual(['value.json']);
  }));

test('clusters and Azures of one run share keys, and an Azure with a state keeps its own', () =>
  inDirectory(async () => {
    expect(servingKeys()).toEqual(servingKeys());
    const first = {};
    const keys = await sandboxKeys(first, new Ids(undefined, { counter: 0 }));
    expect(first).toEqual({ ca: keys.ca, signingKeyPem: keys.signingKeyPem });
    expect(await sandboxKeys({}, new Ids(undefined, { counter: 0 }))).toEqual(keys);
    delete process.env['AZIMUTH_SANDBOX_KEYS'];
    const other = await sandboxKeys({}, new Ids(undefined, { counter: 0 }));
    expect(other.ca).not.toEqual(keys.ca);
    const kept = { ca: other.ca, signingKeyPem: other.signingKeyPem };
    expect((await sandboxKeys(kept, new Ids(undefined, { counter: 0 }))).ca).toEqual(other.ca);
  }));
