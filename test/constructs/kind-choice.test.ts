import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { kindsOf } from '../../constructs/kind-choice.ts';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('kinds are those that the manifests of a folder name, with their owners and references', () => {
  writeFileSync(
    join(folder, 'one.yaml'),
    `apiVersion: network.azure.com/v1api20240601
kind: PrivateDnsZonesARecord
metadata: { name: a }
spec: { owner: { name: zone } }
---
apiVersion: v1
kind: List
items:
  - apiVersion: network.azure.com/v1api20201101
    kind: PrivateEndpoint
    metadata: { name: e }
    spec:
      owner: { armId: /subscriptions/s/resourceGroups/g }
      subnet: { reference: { group: network.azure.com, kind: VirtualNetworksSubnet, name: s } }
  - { apiVersion: apps/v1, kind: Deployment, metadata: { name: d } }
`,
  );
  const kinds = ['PrivateDnsZone', 'PrivateDnsZonesARecord', 'PrivateEndpoint', 'VirtualNetworksSubnet'];
  expect(kindsOf(`used:${folder}`)).toBe(kinds.map((kind) => `network.azure.com/${kind}`).join(';'));
  expect(kindsOf('resources.azure.com/*')).toBe('resources.azure.com/*');
});

test('manifests that are not there, are no YAML or name no kind are refused', () => {
  expect(() => kindsOf(`used:${join(folder, 'none')}`)).toThrow(
    'Expected AZIMUTH_KINDS to name a file or folder that exists',
  );
  writeFileSync(join(folder, 'none.yaml'), 'apiVersion: v1\nkind: Secret\n');
  expect(() => kindsOf(`used:${join(folder, 'none.yaml')}`)).toThrow('to name manifests with kinds');
  const broken = () => kindsOf(`used:${join(folder, 'broken.yaml')}`);
  writeFileSync(join(folder, 'broken.yaml'), 'a: [\npassword: hunter2');
  expect(broken).toThrow('broken.yaml to be YAML');
  expect(broken).not.toThrow('hunter2');
});
