import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { azureIdentityBinding } from '../../../runtime/api/pod-identity/azure-identity-binding.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { policyProblem, type VolumePolicy } from '../../../runtime/api/volumes/policy.ts';

const wanted = {
  vault: 'contoso',
  objects: [
    { type: 'secret', name: 'web-password' },
    { type: 'cert', name: 'web-tls' },
  ],
} as const;

describe('a policy', () => {
  test.each<[VolumePolicy | undefined, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ vaults: ['CONTOSO'] }, undefined],
    [{ vaults: ['con*'], objects: ['web-*'] }, undefined],
    [{ vaults: ['fabrikam', 'cont'] }, 'the vault contoso is not among fabrikam, cont'],
    [{ objects: ['secret/web-*', 'cert/*'] }, undefined],
    [{ objects: ['secret/web-*'] }, 'the cert "web-tls" is not among secret/web-*'],
    [{ objects: ['web-p*w*d', '*tls'] }, undefined],
    [{ objects: ['web-password'] }, 'the cert "web-tls" is not among web-password'],
    [
      { objects: ['web-*tls', 'web-password*word'] },
      'the secret "web-password" is not among web-*tls, web-password*word',
    ],
  ])('%j gives %j', (policy, problem) => {
    expect(policyProblem(policy, wanted)).toBe(problem);
  });

  test('admits by patterns what a regular expression would', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '-', '*'), { minLength: 1, maxLength: 8 });
    const name = fc.array(fc.constantFrom('a', 'b', '-'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, name, (pattern, text) => {
        const expected = new RegExp(`^${pattern.join('').replaceAll('*', '.*')}$`).test(text.join(''));
        const objects = [{ type: 'secret', name: text.join('') } as const];
        return (policyProblem({ objects: [pattern.join('')] }, { vault: 'v', objects }) === undefined) === expected;
      }),
      { numRuns: 2000 },
    );
  });

  test('that could not be meant is refused by the schema', () => {
    const binding = (volumes: object) => ({
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: 'AzureIdentityBinding',
      metadata: { name: 'b', namespace: 'n' },
      spec: { azureIdentity: 'i', selector: 's', volumes },
    });
    const problems = (volumes: object) => validate(azureIdentityBinding, binding(volumes)).length;
    expect(problems({ vaults: ['contoso', 'web-*'], objects: ['secret/web-*', '*'] })).toBe(0);
    expect(problems({ vaults: [] })).toBeGreaterThan(0);
    expect(problems({ vaults: ['https://contoso.vault.azure.net'] })).toBeGreaterThan(0);
    expect(problems({ objects: ['certificates/web'] })).toBeGreaterThan(0);
    expect(problems({ objects: ['a_b'] })).toBeGreaterThan(0);
  });
});
