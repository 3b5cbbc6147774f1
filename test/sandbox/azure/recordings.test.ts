import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { isObject } from '../../../runtime/base/json.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Names of the headers that steer a client. */
  readonly headers: readonly string[];
  readonly requestBody?: unknown;
  /** Dotted paths of the answer's members. */
  readonly members?: readonly string[];
  readonly code?: string;
}

/** Taken from the go-vcr cassettes of Azure/azure-service-operator (MIT): requests, and the shape of real answers. */
const recordings = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'recorded-shapes.json'), 'utf8'),
) as Record<string, { interactions: Recorded[] }>;

/** Headers by which a client decides what to do next. */
const steering = ['location', 'retry-after', 'azure-asyncoperation'];
const nobody = '00000000-0000-0000-0000-000000000000';

/** For a child whose group is gone, Azure's recordings have the one code for storage and the other for networks. */
const groupOrParent = new Set(['ResourceGroupNotFound', 'ParentResourceNotFound']);

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let azure: EmbeddedAzure;
let client: TestClient;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock, arm: { retryAfterSeconds: 'real' } });
  client = new TestClient(azure);
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

function membersOf(value: unknown, path = ''): string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path ? `${path}.${name}` : name));
}

test.each(Object.keys(recordings))(
  '%s: status, steering headers, error code and members are those of the recording',
  async (name) => {
    const differences: string[] = [];
    let principalId = '';
    azure.settings.vaultDnsMs = name === 'keyvault-registeringdns' ? 500 : 0;
    for (const recorded of recordings[name]?.interactions ?? []) {
      const url = new URL(recorded.url.replaceAll(nobody, azure.subscriptionId), azure.endpoints.arm);
      let text = JSON.stringify(recorded.requestBody ?? null).replaceAll(nobody, azure.subscriptionId);
      text = text.replaceAll(/"principalId":"[^"]+"/g, `"principalId":"${principalId}"`);
      const body: unknown = JSON.parse(text);
      const answer = await client.send(recorded.method, url.toString(), {
        token: await client.token(),
        ...(body === null ? {} : { body }),
      });
      const at = `${recorded.method} ${url.pathname}`;
      if (answer.status !== recorded.status)
        differences.push(`${at}: ${recorded.status} recorded, ${answer.status} ${answer.text}`);
      const sent = steering.filter((header) => answer.headers[header] !== undefined).sort();
      const expected = recorded.headers.filter((header) => steering.includes(header));
      if (sent.join() !== expected.join()) differences.push(`${at}: headers ${expected} recorded, ${sent} sent`);
      if (recorded.code && answer.body?.error?.code !== recorded.code && !groupOrParent.has(recorded.code)) {
        differences.push(`${at}: code ${recorded.code} recorded, ${answer.body?.error?.code} sent`);
      }
      const members = new Set(membersOf(answer.body));
      const missing = (recorded.members ?? []).filter(
        (member) => !members.has(member) && ![...members].some((own) => own.startsWith(`${member}.`)),
      );
      if (missing.length > 0) differences.push(`${at}: no ${missing}`);
      principalId = answer.body?.properties?.principalId ?? principalId;
      await clock.advance(1000);
    }
    expect(differences).toEqual([]);
  },
);
