import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { entraCodes } from '../../../runtime/azure/identity/entra-codes.ts';
import {
  AuthError,
  AuthUnavailable,
  authFailure,
  refusesCredential,
} from '../../../runtime/azure/identity/entra-errors.ts';

const failure = (status: number, code: string, error: string) => {
  const body = { error, error_description: `${code}: words. Trace ID: x` };
  return authFailure('Entra', 'client', { status, headers: {}, body, text: '' } as never, 0, []);
};

test.each([400, 401])('a transient code with %i decides nothing about the credential, and its words stay', (status) => {
  const error = failure(status, 'AADSTS90033', 'invalid_request');
  expect(error).toBeInstanceOf(AuthUnavailable);
  expect(error).toMatchObject({ code: 'AZ_AUTH_UNREACHABLE', retryAfterMs: undefined });
  expect(error.message).toContain('AADSTS90033 invalid_request: words');
});

test.each([
  ['AADSTS700213', 'invalid_request', true, true],
  ['AADSTS700016', 'unauthorized_client', true, true],
  ['AADSTS7000215', 'invalid_client', true, true],
  ['AADSTS7000229', 'invalid_client', true, true],
  ['AADSTS7000222', 'invalid_client', true, false],
  ['AADSTS500011', 'invalid_resource', false, false],
])('%s %s: refuses the credential %s, may pass %s', (code, error, refuses, mayPass) => {
  const found = failure(400, code, error);
  expect(found).toBeInstanceOf(AuthError);
  expect([refusesCredential(found), (found as AuthError).mayPass]).toEqual([refuses, mayPass]);
});

test('the service asks for a long wait where more requests prolong its refusal, unless it says how long', () => {
  expect(failure(400, 'AADSTS50196', 'invalid_request').retryAfterMs).toBe(30_000);
  expect(failure(400, 'AADSTS1', 'temporarily_unavailable')).toBeInstanceOf(AuthUnavailable);
});

test('the reference page has each code of the table, with its kind', () => {
  const rows = readFileSync('docs/reference/azure-errors.md', 'utf8').split('\n');
  for (const [code, { kind }] of Object.entries(entraCodes)) {
    const row = rows.find((line) => new RegExp(`^\\|.*AADSTS${code}\\b`).test(line));
    expect([code, row]).toEqual([code, expect.stringContaining(`| ${kind} |`)]);
  }
});
