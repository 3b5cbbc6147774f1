import type { Flag } from '../base/program.ts';
import { oneOf } from '../base/settings.ts';

/** Sources of the credential of a command that people start. */
export type CredentialSource = 'default' | 'environment' | 'azure-cli';

/** The credential of a command that people start. */
export const credentialFlag = {
  flag: 'credential',
  value: 'FROM',
  default: 'default',
  meaning:
    "default: DefaultAzureCredential of @azure/identity; environment: the operator's variables; azure-cli: the account of `az login`",
  parse: (setting, text): CredentialSource => oneOf(setting, text, ['default', 'environment', 'azure-cli']),
} as const satisfies Flag;
