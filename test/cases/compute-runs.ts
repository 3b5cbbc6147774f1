/** How each row of the cases runs. */
import { expect } from '@jest/globals';
import { gateRefusal } from '../../runtime/compute/features/feature-refusals.ts';
import { type FeatureState, nextFeatureStep } from '../../runtime/compute/features/features.ts';
import {
  certificateGroupProblems,
  certificateUrlProblems,
  parseCertificateUrl,
} from '../../runtime/compute/machines/certificate-references.ts';
import type { Machine, SecretUse } from '../../runtime/compute/machines/machine-model.ts';
import {
  adminUsernameProblem,
  computerNamePrefixProblem,
  computerNameProblem,
  customDataProblem,
} from '../../runtime/compute/machines/machine-names.ts';
import {
  changeEffect,
  changeProblem,
  isPatchable,
  removedCertificate,
} from '../../runtime/compute/machines/model-changes.ts';
import { secretUseProblems } from '../../runtime/compute/machines/secret-delivery.ts';
import {
  linuxCertificateFile,
  linuxCertificateLink,
  vaultExtensionProblems,
} from '../../runtime/compute/machines/vault-extension.ts';
import { checkPassword, isGeneratedLength, passwordAnswer } from '../../runtime/compute/managed-secrets/passwords.ts';
import {
  issueBackoff,
  renewalInstant,
  rotationProblems,
  throttleBackoff,
} from '../../runtime/compute/managed-secrets/rotation.ts';
import type { ComputeProblem } from '../../runtime/compute/problems/compute-problem.ts';
import {
  batchCount,
  batchSize,
  roundedPercent,
  stopAfterBatch,
  stopBeforeBatch,
  thresholdCodes,
} from '../../runtime/compute/rolls/batches.ts';
import { rollingPolicyOf, upgradeModeOf, upgradePolicyProblems } from '../../runtime/compute/rolls/rolling-policy.ts';
import { certificate, machine, version } from '../compute/machines/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows have the members that their name says
export type Members = Record<string, any>;

export const day = 86_400_000;
export const healthy = { probe: true, extension: false, orchestration: 'Uniform' } as const;
export const accepts = (problem: ComputeProblem | undefined) => problem === undefined;
export const errorsOf = (problems: readonly ComputeProblem[]) =>
  problems.filter(({ severity }) => severity === 'Error');

export function policyProblems(rollingUpgradePolicy: Members) {
  return errorsOf(upgradePolicyProblems({ mode: 'Manual', rollingUpgradePolicy }, healthy, 'properties.upgradePolicy'));
}

export const kindOf = (kind: string): Machine['kind'] => (kind === 'VM' ? 'VirtualMachine' : 'VirtualMachineScaleSet');
export const useProblems = (use: Partial<SecretUse>) =>
  secretUseProblems(machine('VirtualMachine'), certificate(use), 'p');

/** Problems of a Key Vault extension with these settings, on a machine with an identity of its own. */
export function extensionProblems(
  os: 'Windows' | 'Linux',
  typeHandlerVersion: string,
  secretsManagementSettings: Members,
) {
  return vaultExtensionProblems(
    { properties: { typeHandlerVersion, settings: { secretsManagementSettings } } },
    { os, extended: false, identities: { system: true, userAssigned: [] }, exists: true },
    'p',
  );
}

/** How to run the rows whose name matches; each row matches one pattern at most. */
export const runs: readonly (readonly [pattern: RegExp, run: (given: Members, expected: Members) => void])[] = [
  [
    /^password: /,
    ({ os, adminPassword }, { verdict }) => {
      expect(checkPassword(os, adminPassword)).toBe(verdict);
      expect(passwordAnswer(os, adminPassword) === undefined).toBe(verdict === 'ok');
    },
  ],
  [
    /^generator length /,
    ({ generatorLength }, { accepted }) => expect(isGeneratedLength(generatorLength)).toBe(accepted),
  ],
  [
    /^length error text$/,
    ({ os, adminPassword }, { code, target, messageContains }) => {
      const answer = passwordAnswer(os, adminPassword);
      expect(answer).toMatchObject({ code, target });
      for (const part of messageContains) expect(answer?.message).toContain(part);
    },
  ],
  [
    /^user name /,
    ({ os, adminUsername }, { accepted }) =>
      expect(accepts(adminUsernameProblem(os, adminUsername, 'p'))).toBe(accepted),
  ],
  [
    /^computer name /,
    ({ os, computerName }, { accepted }) => expect(accepts(computerNameProblem(os, computerName, 'p'))).toBe(accepted),
  ],
  [
    /^computerNamePrefix of /,
    ({ computerNamePrefixLength: length }, { accepted }) =>
      expect(accepts(computerNamePrefixProblem('n'.repeat(length), 'p'))).toBe(accepted),
  ],
  [
    /^customData \d+ bytes$/,
    ({ customDataBytes }, { accepted }) =>
      expect(accepts(customDataProblem(Buffer.alloc(customDataBytes).toString('base64'), 'p'))).toBe(accepted),
  ],
  [
    /^certificateUrl: /,
    ({ certificateUrl }, { verdict }) => expect(parseCertificateUrl(certificateUrl).result).toBe(verdict),
  ],
  [
    /^versionless text$/,
    ({ certificateUrl }, { status, message }) =>
      expect(certificateUrlProblems('', certificateUrl, 'p')).toMatchObject([{ azure: { status, message } }]),
  ],
  [
    /^two vaults$/,
    ({ secrets }) => expect(errorsOf(certificateGroupProblems({ os: 'Linux' }, secrets, 'p'))).toEqual([]),
  ],
  [
    /^source vault does not own the url$/,
    ({ sourceVault, certificateUrl }, { code }) =>
      expect(certificateUrlProblems(sourceVault, certificateUrl, 'p')).toMatchObject([
        { azure: { when: 'Operation', code } },
      ]),
  ],
  [
    /^no VM agent$/,
    ({ provisionVMAgent }, { code, message }) => {
      const [problem] = certificateGroupProblems({ os: 'Linux', provisionVMAgent }, [{}], 'p');
      expect(problem).toMatchObject({ azure: { code, message } });
    },
  ],
  [/^policy \w+=\d+$/, (given, { accepted }) => expect(policyProblems(given).length === 0).toBe(accepted)],
  [
    /^batch above unhealthy$/,
    (given, { code, messageContains }) => {
      const [problem] = policyProblems(given);
      expect(problem?.azure?.code).toBe(code);
      for (const part of messageContains) expect(problem?.azure?.message).toContain(part);
    },
  ],
  [
    /^pause /,
    (given, { accepted, seconds }) => {
      expect(policyProblems(given).length === 0).toBe(accepted);
      if (accepted) expect(rollingPolicyOf({ rollingUpgradePolicy: given }).pauseSeconds).toBe(seconds);
    },
  ],
  [
    /^rolling without health source$/,
    ({ mode, extensions }, { status, message }) => {
      const none = { probe: false, extension: extensions.length > 0, orchestration: 'Uniform' } as const;
      expect(upgradePolicyProblems({ mode }, none, 'p')).toMatchObject([{ azure: { status, message } }]);
    },
  ],
  [
    /^(customData|userData) changed on VM$|^adminPassword PUT on VMSS$/,
    ({ kind, change }, { code, message, accepted, existingInstances }) => {
      const problem = changeProblem(kindOf(kind), change);
      expect(problem === undefined).toBe(accepted === true);
      if (code) expect(problem?.azure).toMatchObject({ code, message });
      const effect = code ? 'Refused' : existingInstances ? 'Reimage' : 'InPlace';
      expect(changeEffect(kindOf(kind), change)).toBe(effect);
    },
  ],
  [/^secrets PATCH on VMSS$/, ({ change }, { fieldInModel }) => expect(isPatchable(change)).toBe(fieldInModel)],
  [
    /^entry removed from model$/,
    (_, { existingMachines, newMachines }) => {
      expect(existingMachines).toMatch(removedCertificate.existingMachines.toLowerCase());
      expect(newMachines).toBe(removedCertificate.newMachines.toLowerCase());
    },
  ],
  [
    /^protected settings from a vault not enabled$/,
    (_, { messageContains }) => {
      const closed = version('kv1', 'pw', { enabledForDeployment: false });
      const [problem] = useProblems({ kind: 'Password', delivery: 'VMAccess', version: closed });
      for (const part of messageContains) expect(problem?.azure?.message).toContain(part);
    },
  ],
  [/^extension: password observed$/, (given, { accepted }) => expect(useProblems(given).length === 0).toBe(accepted)],
  [
    /^extension windows 4.0 /,
    ({ type: _, version: handler, ...settings }, { accepted }) =>
      expect(extensionProblems('Windows', handler, settings).length === 0).toBe(accepted),
  ],
  [
    /^extension authenticationSettings place$/,
    ({ path }, { accepted, rightPath }) => {
      const problems = extensionProblems('Linux', '3.0', { [path.split('.').at(-1)]: {} });
      expect(problems.length === 0).toBe(accepted);
      expect(problems).toMatchObject([{ path: `p.${path}` }]);
      expect(problems[0]?.message).toContain(rightPath);
    },
  ],
  [
    /^extension linux link$/,
    ({ vault, certificate: name, version: id }, expected) =>
      expect({ link: linuxCertificateLink(vault, name), target: linuxCertificateFile(vault, name, id) }).toEqual(
        expected,
      ),
  ],
  [/^mode unset$/, ({ upgradePolicy }, { mode }) => expect(upgradeModeOf(upgradePolicy)).toBe(mode)],
  [
    /^batch of /,
    ({ instances, maxBatchInstancePercent: percent }, expected) =>
      expect({ batchSize: batchSize(instances, percent), batches: batchCount(instances, percent) }).toEqual(expected),
  ],
  [
    /^before batch: /,
    ({ instances, unhealthy, maxUnhealthyInstancePercent }, { stops, code }) => {
      const first = stopBeforeBatch({ instances, unhealthy, upgraded: 0 }, maxUnhealthyInstancePercent);
      const later = stopBeforeBatch({ instances, unhealthy, upgraded: 1 }, maxUnhealthyInstancePercent);
      expect([first !== undefined, later !== undefined]).toEqual([stops, stops]);
      if (code) expect([first, later]).toEqual([thresholdCodes.beforeFirstBatch, thresholdCodes.beforeBatch]);
    },
  ],
  [
    /^after batch: /,
    ({ upgraded, unhealthyUpgraded, maxUnhealthyUpgradedInstancePercent: percent }, { stops }) =>
      expect(stopAfterBatch({ upgraded, unhealthyUpgraded }, percent) !== undefined).toBe(stops),
  ],
  [
    /^Kubernetes rounding /,
    ({ replicas, percent }, expected) => expect(roundedPercent(replicas, percent)).toEqual(expected),
  ],
  [
    /^feature state /,
    ({ state, consent }: Members, { action }) => {
      const step = nextFeatureStep({ state: state as FeatureState, consent });
      const provider = { requested: true, registrationState: 'Registered', readyLocations: [] };
      const next = nextFeatureStep({ state, consent, provider });
      const words: Record<string, object> = {
        register: { action: 'RegisterFeature' },
        'wait, dependants blocked': { action: 'PollFeature', waitsFor: 'AzureApproval', dependants: 'Blocked' },
        'register provider, release dependants': { action: 'RegisterProvider' },
      };
      expect(step).toMatchObject(words[action] as object);
      expect(next.dependants).toBe(action.includes('release') ? 'Released' : 'Blocked');
    },
  ],
  [
    /^feature without consent$/,
    ({ state, consent }, { requestsToAzure }) => {
      expect(requestsToAzure).toBe(0);
      for (const known of [state, undefined]) {
        expect(nextFeatureStep({ state: known, consent })).toMatchObject({ action: 'None', waitsFor: 'OwnerConsent' });
      }
    },
  ],
  [
    /^refusal /,
    ({ status, error }, { class: expected }) => {
      const found = gateRefusal({ status, ...error })?.class ?? '';
      expect(`${found[0]?.toLowerCase()}${found.slice(1)}`).toBe(expected);
    },
  ],
  [
    /^renew lifetime /,
    ({ lifetimeSeconds, renewBeforeSeconds, renewBeforePercentage }, { renewAfterSeconds }) => {
      const rule = {
        ...(renewBeforeSeconds !== null && { renewBefore: renewBeforeSeconds * 1000 }),
        ...(renewBeforePercentage !== null && { renewBeforePercentage }),
      };
      expect(renewalInstant({ notBefore: 0, notAfter: lifetimeSeconds * 1000 }, rule)).toBe(renewAfterSeconds * 1000);
    },
  ],
  [
    /^issue back-off after failure /,
    ({ failedAttempts }, { waitHours }) => expect(issueBackoff(failedAttempts)).toBe(waitHours * 3_600_000),
  ],
  [/^throttle back-off /, ({ attempt }, { waitSeconds }) => expect(throttleBackoff(attempt)).toBe(waitSeconds * 1000)],
  [
    /^rotation every /,
    ({ everyDays, renewBeforeDays, overlapDays }, { accepted }) => {
      const rotation = { every: everyDays * day, renewBefore: renewBeforeDays * day, overlap: overlapDays * day };
      expect(rotationProblems(rotation, 'spec.rotation').length === 0).toBe(accepted);
    },
  ],
];
