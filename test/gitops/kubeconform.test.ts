import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { onApiServer } from './cluster.ts';
import { type Definition, kubeconformSchemas, schemaLocation } from './kubeconform-schemas.ts';
import { everything, removeFolders, run, synth, temporaryFolder } from './support.ts';

afterAll(removeFolders);

const check = async (location: string, files: readonly string[]) =>
  await run('kubeconform', ['-strict', '-output', 'json', '-summary', '-schema-location', location, ...files]);

test('every manifest follows the schema of a current API server, without a member that it does not know', async () => {
  const folder = await synth(everything);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.k8s.yaml'))
    .sort()
    .map((name) => join(folder, name));
  const own = parseAllDocuments(readFileSync(files[0] ?? '', 'utf8')).map((each) => each.toJS() as Definition);
  let location = '';
  await onApiServer(async () => {
    location = schemaLocation(await kubeconformSchemas(own));
  });
  const { stdout } = await check(location, files);
  const { resources, summary } = JSON.parse(stdout);
  expect(resources).toEqual([]);
  expect(summary).toMatchObject({ invalid: 0, errors: 0, skipped: 0 });
  expect(summary.valid).toBeGreaterThan(100);

  const wrong = join(temporaryFolder(), 'wrong.yaml');
  writeFileSync(wrong, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: one, label: two}\n');
  expect((await check(location, [wrong])).stdout).toContain("additional properties 'label' not allowed");
});
