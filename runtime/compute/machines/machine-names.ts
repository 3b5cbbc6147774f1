/**
 * Names, keys and data in a machine's osProfile: the limits that Azure answers to with a refusal of the PUT. Each check
 * returns a problem, or undefined for a value that Azure accepts. `path` is the path of the field.
 */
import { type ComputeProblem, computeError, type OsType, quoted } from '../problems/compute-problem.ts';

const refusedUserNames: ReadonlySet<string> = new Set([
  ...['1', '123', 'a', 'actuser', 'adm', 'admin', 'admin1', 'admin2', 'administrator', 'aspnet', 'backup', 'console'],
  ...[
    'david',
    'guest',
    'john',
    'owner',
    'root',
    'server',
    'sql',
    'support',
    'support_388945a0',
    'sys',
    'test',
    'test1',
  ],
  ...['test2', 'test3', 'user', 'user1', 'user2', 'user3', 'user4', 'user5'],
]);

const request = (message: string, code = 'InvalidParameter') =>
  ({ when: 'Request', status: 400, code, message }) as const;

/** The administrator: at most 20 characters on Windows and 64 on Linux, no name of Azure's list, ignoring case. */
export function adminUsernameProblem(os: OsType, name: string, path: string): ComputeProblem | undefined {
  const most = os === 'Windows' ? 20 : 64;
  const fix = (what: string) =>
    computeError(
      'AdminUsernameInvalid',
      path,
      `${quoted(name)} ${what}; choose another name before the machine is created`,
      {
        ...request('The Admin Username specified is not allowed.'),
      },
    );
  if (name.length === 0 || name.length > most) return fix(`has ${name.length} characters, allowed are 1 to ${most}`);
  if (/[\p{C}\p{Z}/\\]/u.test(name)) return fix('has a space, a slash or a control character');
  if (os === 'Windows' && name.endsWith('.')) return fix('ends in a dot, which Windows does not accept');
  return refusedUserNames.has(name.toLowerCase()) ? fix('is on the list of names that Azure refuses') : undefined;
}

const windowsSigns = '`~!@#$%^&*()=+_[]{}\\|;:.\'",<>/?';

/** The computer name: at most 15 characters on Windows, not all digits and without signs there; at most 64 on Linux. */
export function computerNameProblem(os: OsType, name: string, path: string): ComputeProblem | undefined {
  const most = os === 'Windows' ? 15 : 64;
  const wrong = (what: string) =>
    computeError(
      'ComputerNameInvalid',
      path,
      `${quoted(name)} ${what}; set another computerName`,
      request(windowsText),
    );
  if (name.length === 0 || name.length > most) return wrong(`has ${name.length} characters, allowed are 1 to ${most}`);
  if (/[\p{C}\p{Z}/]/u.test(name)) return wrong('has a space, a slash or a control character');
  if (os === 'Linux') return undefined;
  if (/^[0-9]+$/.test(name)) return wrong('has digits only, which Windows does not accept');
  const sign = [...name].find((each) => windowsSigns.includes(each));
  return sign === undefined ? undefined : wrong(`has ${quoted(sign)}, which Windows does not accept`);
}

const windowsText = `Windows computer name cannot be more than 15 characters long, be entirely numeric, or contain the following characters: ${[...windowsSigns].join(' ')}.`;

/** The prefix of a scale set's computer names: 1 to 15 characters; the instance's number follows it. */
export function computerNamePrefixProblem(prefix: string, path: string): ComputeProblem | undefined {
  const wrong = (what: string) =>
    computeError('ComputerNamePrefixInvalid', path, `${quoted(prefix)} ${what}; set another computerNamePrefix`);
  if (prefix.length === 0 || prefix.length > 15) return wrong(`has ${prefix.length} characters, allowed are 1 to 15`);
  return /[\p{C}\p{Z}/]/u.test(prefix) ? wrong('has a space, a slash or a control character') : undefined;
}

/** The file of a public key, which may only be the administrator's own authorized_keys. */
export function sshPathProblem(adminUsername: string, file: string, path: string): ComputeProblem | undefined {
  const only = `/home/${adminUsername}/.ssh/authorized_keys`;
  if (file === only) return undefined;
  const text = `Destination path for Ssh public keys is currently limited to its default value ${only} due to a known issue in Linux provisioning agent.`;
  return computeError('SshPathInvalid', path, `${quoted(file)} is not accepted; set ${quoted(only)}`, request(text));
}

/** Characters of a public key; a key of 16,384 bits has fewer than 3,000. */
const maxKeyLength = 8192;

/**
 * A public key in OpenSSH form, such as `ssh-rsa AAAA… comment`: RSA of 2048 bits or more, or ed25519. The key is parsed,
 * not only its name, so that a cut or mistyped key is found before a machine is made that nobody can enter.
 */
export function sshKeyProblem(keyData: string, path: string): ComputeProblem | undefined {
  const wrong = (what: string) =>
    computeError(
      'SshKeyInvalid',
      path,
      `the public key ${what}; give \`ssh-rsa\` of 2048 bits or more, or \`ssh-ed25519\``,
    );
  if (keyData.length > maxKeyLength) return wrong(`has ${keyData.length} of at most ${maxKeyLength} characters`);
  const [type = '', text = ''] = keyData.trim().split(/[ \t]+/);
  if (type !== 'ssh-rsa' && type !== 'ssh-ed25519') return wrong(`has the type ${quoted(type)}`);
  if (keyData.trim().includes('\n')) return wrong('has more than one line');
  const fields = base64Length(text) === undefined ? undefined : sshFields(Buffer.from(text, 'base64'));
  if (fields?.[0]?.toString('latin1') !== type) return wrong('is not whole: its data is no key of its type');
  if (type === 'ssh-ed25519') {
    return fields.length === 2 && fields[1]?.length === 32 ? undefined : wrong('is not whole: ed25519 has 32 bytes');
  }
  const [, , modulus] = fields;
  if (fields.length !== 3 || !modulus) return wrong('is not whole: RSA has an exponent and a modulus');
  const bits = bitLength(modulus);
  return bits >= 2048 ? undefined : wrong(`has ${bits} bits`);
}

/** The fields of the wire form, each after its length in four bytes; undefined when the lengths do not add up. */
function sshFields(data: Buffer): readonly Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    if (at + 4 > data.length || fields.length === 4) return undefined;
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) return undefined;
    fields.push(data.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function bitLength(number: Buffer): number {
  const first = number.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (number.length - first) * 8 - (Math.clz32(number[first] as number) - 24);
}

/** Bytes of customData after decoding, at most. */
export const maxCustomDataBytes = 65_535;

/** customData: Base64 of at most 65,535 bytes. */
export function customDataProblem(customData: string, path: string): ComputeProblem | undefined {
  const bytes = base64Length(customData);
  if (bytes !== undefined && bytes <= maxCustomDataBytes) return undefined;
  const what = bytes === undefined ? 'is no Base64' : `has ${bytes} bytes, allowed are ${maxCustomDataBytes}`;
  const text = `Custom data in OSProfile must be in Base64 encoding and with a maximum length of ${maxCustomDataBytes} characters.`;
  return computeError('CustomDataInvalid', path, `customData ${what}; let the machine read large data itself`, {
    ...request(text),
  });
}

/** Bytes that a Base64 text stands for; undefined for another text. */
function base64Length(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
}
