/** Problems of a machine's own body that Azure finds late, or answers to without the name of the field. */
import { isObject } from '../../base/json.ts';
import { passwordAnswer } from '../managed-secrets/passwords.ts';
import { type ComputeProblem, computeError, computeWarning, quoted } from '../problems/compute-problem.ts';
import { upgradeModeOf, upgradePolicyProblems } from '../rolls/rolling-policy.ts';
import { certificateGroupProblems, certificateUrlProblems } from './certificate-references.ts';
import {
  extensionPath,
  extensionsOf,
  identitiesOf,
  isExtension,
  listIn,
  type Machine,
  objectIn,
  osConfigurationOf,
  osProfileOf,
  profileOf,
  profilePath,
  textIn,
} from './machine-model.ts';
import {
  adminUsernameProblem,
  computerNamePrefixProblem,
  computerNameProblem,
  customDataProblem,
  sshKeyProblem,
  sshPathProblem,
} from './machine-names.ts';
import { observedTextProblems } from './vault-extension.ts';

/** Public keys of one machine that are read; more are refused, so that a body cannot cost time without bound. */
const maxPublicKeys = 100;

/** Every problem of the body, whatever it contains: names, password, keys, data, certificates and upgrade policy. */
export function bodyProblems(machine: Machine): ComputeProblem[] {
  const path = `${profilePath(machine)}.osProfile`;
  const secrets = osProfileOf(machine)['secrets'];
  return [
    ...nameProblems(machine, path),
    ...sshProblems(machine, `${path}.linuxConfiguration.ssh.publicKeys`),
    ...certificateGroupProblems(certificateMachine(machine), secrets, `${path}.secrets`),
    ...extensionSecretProblems(machine),
    ...extensionsOf(machine).flatMap((each) => observedTextProblems(each, extensionPath(machine, each.name))),
    ...(machine.kind === 'VirtualMachineScaleSet' ? scaleSetProblems(machine) : []),
  ];
}

function certificateMachine(machine: Machine) {
  const { os, subscriptionId, vaultPort } = machine;
  const provisionVMAgent = osConfigurationOf(machine)['provisionVMAgent'] !== false;
  return {
    os,
    ...(subscriptionId !== '' && { subscriptionId }),
    provisionVMAgent,
    ...(vaultPort !== undefined && { vaultPort }),
  };
}

/** A property that is there must be a text that its check accepts. */
function nameProblems(machine: Machine, path: string): ComputeProblem[] {
  const { os, kind } = machine;
  const profile = osProfileOf(machine);
  const check = (name: string, of: (text: string, at: string) => ComputeProblem | undefined) => {
    const text = textIn(profile, name);
    const problem = text === undefined ? undefined : of(text, `${path}.${name}`);
    return problem ? [problem] : [];
  };
  return [
    ...check('adminUsername', (text, at) => adminUsernameProblem(os, text, at)),
    ...check('adminPassword', (text, at) => {
      const azure = passwordAnswer(os, text);
      return (
        azure && computeError('AdminPasswordInvalid', at, `Azure refuses it: ${azure.message} Set another one.`, azure)
      );
    }),
    ...(kind === 'VirtualMachine'
      ? check('computerName', (text, at) => computerNameProblem(os, text, at))
      : check('computerNamePrefix', computerNamePrefixProblem)),
    ...check('customData', customDataProblem),
  ];
}

function sshProblems(machine: Machine, path: string): ComputeProblem[] {
  const keys = listIn(objectIn(osProfileOf(machine), 'linuxConfiguration', 'ssh'), 'publicKeys');
  if (keys.length > maxPublicKeys) {
    return [
      computeError('SshKeysTooMany', path, `${keys.length} keys, at most ${maxPublicKeys} are accepted; remove some`),
    ];
  }
  const user = textIn(osProfileOf(machine), 'adminUsername');
  return keys.flatMap((key, index) => {
    const file = textIn(objectIn(key), 'path');
    const data = textIn(objectIn(key), 'keyData');
    const at = `${path}[${index}]`;
    return [
      file !== undefined && user !== undefined ? sshPathProblem(user, file, `${at}.path`) : undefined,
      data === undefined ? undefined : sshKeyProblem(data, `${at}.keyData`),
    ].filter((problem) => problem !== undefined);
  });
}

/** Protected settings by reference follow the rules of certificates: a versioned URL, in the vault that stands beside it. */
function extensionSecretProblems(machine: Machine): ComputeProblem[] {
  return extensionsOf(machine).flatMap(({ name, properties }) => {
    const reference = properties['protectedSettingsFromKeyVault'];
    if (!isObject(reference)) return [];
    const path = extensionPath(machine, name);
    const vaultId = textIn(objectIn(reference, 'sourceVault'), 'id') ?? '';
    const at = `${path}.protectedSettingsFromKeyVault.secretUrl`;
    const problems = certificateUrlProblems(vaultId, reference['secretUrl'], at, machine.vaultPort);
    if (isObject(properties['protectedSettings'])) {
      const message =
        'The extension can contain either protectedSettings or protectedSettingsFromKeyVault or no protected settings at all.';
      const azure = { when: 'Request', status: 400, message } as const;
      const fix = 'stands beside protectedSettingsFromKeyVault; remove one of them';
      problems.push(computeError('ProtectedSettingsTwice', `${path}.protectedSettings`, fix, azure));
    }
    return problems;
  });
}

function scaleSetProblems(machine: Machine): ComputeProblem[] {
  const properties = objectIn(machine.body, 'properties');
  const orchestration = textIn(properties, 'orchestrationMode') === 'Flexible' ? 'Flexible' : 'Uniform';
  const extensions = extensionsOf(machine);
  const healthTypes = ['ApplicationHealthLinux', 'ApplicationHealthWindows'];
  const extension = extensions.some((each) =>
    healthTypes.some((type) => isExtension(each, 'Microsoft.ManagedServices', type)),
  );
  const probe = isObject(objectIn(profileOf(machine), 'networkProfile')['healthProbe']);
  const problems = upgradePolicyProblems(
    properties['upgradePolicy'],
    { probe, extension, orchestration },
    'properties.upgradePolicy',
  );
  if (orchestration === 'Flexible' && identitiesOf(machine.body).system) {
    const fix = 'a Flexible set has user-assigned identities only; use one of those';
    problems.push(computeError('SystemIdentityOnFlexible', 'identity.type', fix));
  }
  const fabric = extensions.some(
    ({ properties: each }) => textIn(each, 'publisher') === 'Microsoft.Azure.ServiceFabric',
  );
  if (fabric) {
    const mode = upgradeModeOf(properties['upgradePolicy']);
    const fix = `Service Fabric rolls its own set (mode ${mode}): the model is updated, and its instances are left to it`;
    problems.push(computeWarning('ServiceFabricSet', 'properties.upgradePolicy.mode', fix));
  }
  return problems;
}

/** Certificates of WinRM listeners that are not among the certificates of the machine. `body` is the merged body. */
export function listenerProblems(machine: Machine): ComputeProblem[] {
  const path = `${profilePath(machine)}.osProfile`;
  const groups = listIn(osProfileOf(machine), 'secrets');
  const certificates = groups.flatMap((group) => listIn(objectIn(group), 'vaultCertificates'));
  const known = new Set(certificates.map((each) => textIn(objectIn(each), 'certificateUrl')?.toLowerCase()));
  const listeners = listIn(objectIn(osProfileOf(machine), 'windowsConfiguration', 'winRM'), 'listeners');
  return listeners.flatMap((listener, index) => {
    const url = textIn(objectIn(listener), 'certificateUrl');
    if (url === undefined || known.has(url.toLowerCase())) return [];
    const at = `${path}.windowsConfiguration.winRM.listeners[${index}].certificateUrl`;
    const message = `Certificate ${url.slice(0, 512)} specified in WinRM configuration is not defined in the VM model secrets.`;
    const fix = `${quoted(url)} is not among the machine's certificates; add it to osProfile.secrets`;
    return [
      computeError('ListenerCertificateUnknown', at, fix, {
        when: 'Request',
        status: 400,
        code: 'InvalidParameter',
        message,
      }),
    ];
  });
}
