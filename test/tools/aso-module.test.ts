import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { asoModule } from '../../tools/judges/aso-module.ts';

const path = process.env['PATH'];
let directory: string;
let messages: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-test-'));
  messages = [];
  jest.spyOn(console, 'error').mockImplementation((message: string) => void messages.push(message));
});
afterEach(() => {
  process.env['PATH'] = path;
  jest.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

/** A Go whose `go mod download -json` prints this. */
function go(answer: object): void {
  const program = join(directory, 'go');
  writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`);
  chmodSync(program, 0o755);
  process.env['PATH'] = `${directory}:${path}`;
}

test('a module with the known checksum is used from where Go unpacked it', () => {
  go({ Dir: '/modules/aso', Sum: 'h1:zMJCSbXZONI2lr8AnTR22ylAQx/NX8MPVpWWAYOMRQ8=' });
  expect(asoModule('v2.18.0')).toBe('/modules/aso');
  expect(messages).toEqual([]);
});

test('a module with another checksum is refused', () => {
  go({ Dir: '/modules/aso', Sum: 'h1:other=' });
  expect(asoModule('v2.18.0')).toBeUndefined();
  expect(messages[0]).toContain(
    'Its checksum is h1:other= and must be h1:zMJCSbXZONI2lr8AnTR22ylAQx/NX8MPVpWWAYOMRQ8=',
  );
});

test("the reason of Go's download is reported", () => {
  go({ Error: 'module lookup disabled by GOPROXY=off' });
  expect(asoModule('v2.18.0')).toBeUndefined();
  expect(messages[0]).toContain(
    'needs github.com/Azure/azure-service-operator/v2 v2.18.0 from the Go module proxy. module lookup disabled',
  );
});

test('without Go the message names Go', () => {
  process.env['PATH'] = directory;
  expect(asoModule('v2.18.0')).toBeUndefined();
  expect(messages[0]).toMatch(/needs Go.*ENOENT/);
});

test('a version without a known checksum is refused', () => {
  expect(asoModule('v2.17.0')).toBeUndefined();
  expect(messages).toEqual(['AZIMUTH_ASO must be one of v2.18.0, v2.20.0; it is v2.17.0.']);
});
