import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';

/** Azure's own client of Compute, unmodified, in a process of its own: it trusts certificates when it starts. */
let azure: EmbeddedAzure;
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes
let results: any;

beforeAll(async () => {
  azure = await startEmbeddedAzure({
    arm: { operationMs: 100, retryAfterSeconds: 0, alwaysRetryAfter: true, rollingBatchMs: 600_000 },
  });
  const child = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'sdk', 'compute.ts')], {
    env: { PATH: process.env['PATH'] ?? '', ...azure.env() },
    maxBuffer: 10_000_000,
  });
  results = JSON.parse(child.stdout);
});

afterAll(async () => {
  await azure?.close();
});

const healthy = 'HealthState/healthy';

test('@azure/arm-compute changes, upgrades, reimages, stops and deletes instances of a Uniform set', () => {
  expect(results.uniform).toEqual({
    state: 'Succeeded',
    changed: ['0', '1', '2'].map((id) => [id, false, healthy]),
    upgraded: [
      ['0', true, healthy],
      ['1', true, healthy],
      ['2', false, healthy],
    ],
    statuses: ['ProvisioningState/succeeded', 'PowerState/deallocated'],
    summary: [
      { code: 'ProvisioningState/succeeded', count: 3 },
      { code: 'PowerState/running', count: 2 },
      { code: 'PowerState/deallocated', count: 1 },
    ],
    left: 2,
  });
});

test('@azure/arm-compute follows and cancels a rolling upgrade, and sees the refusal of a write meanwhile', () => {
  expect(results.rolling).toEqual({
    before: 'NotFound',
    started: ['RollingForward', 1, 20],
    refused: 'OperationNotAllowed',
    lastAction: 'Cancel',
  });
});

test('@azure/arm-compute finds the machines of a Flexible set by its id', () => {
  expect(results.flexible).toEqual({ names: 3, power: 'PowerState/running', instances: 3 });
});

test('@azure/arm-compute stops and starts a machine with an extension, and reads usages', () => {
  expect(results.machine).toEqual({
    hidden: true,
    stopped: 'PowerState/deallocated',
    started: 'PowerState/running',
    extensions: ['access'],
    usages: [
      'availabilitySets',
      'cores',
      'virtualMachines',
      'virtualMachineScaleSets',
      'lowPriorityCores',
      'standardDSv3Family',
    ],
  });
});
