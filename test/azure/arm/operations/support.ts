import { detectOperation } from '../../../../runtime/azure/arm/operations/detect-operation.ts';
import type { Answer, OperationContext } from '../../../../runtime/azure/arm/operations/operation-context.ts';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import type { Operation, PollResult } from '../../../../runtime/azure/types.ts';

export const arm = 'https://management.azure.com';
export const vault = '/subscriptions/s1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
export const context: OperationContext = { cloud: clouds.AzurePublicCloud, now: 1_000_000, random: () => 0 };
export const poll = (name: string) =>
  `${arm}/subscriptions/s1/providers/Microsoft.X/locations/w/operations/${name}?api-version=v`;
export const answer = (status: number, body?: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body,
});
export const start = (
  method: 'PUT' | 'PATCH' | 'POST' | 'DELETE' | 'GET',
  status: number,
  headers: Record<string, string> = {},
  body?: unknown,
  path = vault,
) => detectOperation({ method, path, apiVersion: '2023-07-01' }, answer(status, body, headers), context);
export const state = (provisioningState: string) => ({ id: vault, properties: { provisioningState } });
export const operation = (more: Partial<Operation> = {}): Operation => ({
  kind: 'status',
  method: 'PUT',
  url: poll('1'),
  apiVersion: '2023-07-01',
  resourcePath: vault,
  ...(more.method !== 'DELETE' && { finalPath: vault }),
  startedAt: 0,
  nextPollAt: 0,
  ...more,
});
export const next = (result: PollResult | undefined): Operation => {
  if (result === undefined || result.done)
    throw new Error(`expected an unfinished operation, got ${JSON.stringify(result)}`);
  return result.operation;
};
