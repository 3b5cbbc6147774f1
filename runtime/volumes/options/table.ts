/** An option of a volume in a pod spec. docs/reference/key-vault-volumes.md lists the rows. */
export interface OptionRow {
  readonly meaning: string;
  /** Meaning of an absent or empty option; undefined = the option is required. */
  readonly default?: string;
  /** An earlier name, read only where this option is empty. */
  readonly formerly?: string;
}

/** The options of a FlexVolume, by name. */
export const volumeOptions = {
  tenantid: { meaning: 'The directory (tenant) of the vault: a GUID or a domain name.' },
  keyvaultname: { meaning: 'Name of the vault: 3 to 24 letters, digits and hyphens.' },
  keyvaultobjectnames: { meaning: 'Names of the objects, separated by `;`.', formerly: 'keyvaultobjectname' },
  keyvaultobjecttypes: {
    meaning: 'Type of each object, separated by `;`: `secret`, `key` or `cert`.',
    formerly: 'keyvaultobjecttype',
  },
  keyvaultobjectversions: {
    meaning: 'Version of each object, separated by `;`; an empty one is the newest.',
    default: 'the newest of each',
    formerly: 'keyvaultobjectversion',
  },
  keyvaultobjectaliases: {
    meaning: 'File name of each object, separated by `;`; an empty one is the name of the object.',
    default: 'the names of the objects',
    formerly: 'keyvaultobjectalias',
  },
  keyvaultobjectformats: {
    meaning: 'Format of each file, separated by `;`, or one for all: `raw`, `pem`, `pfx`, `jwk` or `der`.',
    default: '`raw`',
  },
  keyvaultobjectjsonkeys: {
    meaning:
      'Member of each secret that is a JSON document, separated by `;`, which becomes the file: its name, or a JSON Pointer such as `/db/password`; an empty one is the whole object.',
    default: 'the whole of each',
  },
  usepodidentity: {
    meaning: "Whether to use the pod's identity, whose tokens the node daemon on this node issues.",
    default: '`false`',
  },
  usevmmanagedidentity: { meaning: 'Whether to use an identity of the machine.', default: '`false`' },
  vmmanagedidentityclientid: {
    meaning: "Client id of the machine's identity to use.",
    default: 'the system-assigned identity',
  },
  cloudname: {
    meaning:
      '`AzurePublicCloud`, `AzureUSGovernmentCloud`, `AzureChinaCloud`, `AzureGermanCloud` or `AzureStackCloud`, in any case.',
    default: "the node's setting, else `AzurePublicCloud`",
  },
  region: {
    meaning: 'Region of the vault; the mount fails where the vault reports another region.',
    default: 'not checked',
  },
  nmiport: {
    meaning: 'Accepted and not used: the node agent uses the socket of its node daemon.',
    default: 'not used',
  },
  resourcegroup: { meaning: 'Accepted and not used: the name identifies the vault.', default: 'not used' },
  subscriptionid: { meaning: 'Accepted and not used: the name identifies the vault.', default: 'not used' },
  filepermission: {
    meaning: 'Mode of the files in octal, `0000` to `0777`.',
    default: "the node's setting, else `0440`",
  },
  fsgroup: {
    meaning: 'Group id that owns the files.',
    default: "the pod's `securityContext.fsGroup`, else 0",
  },
  refresh: {
    meaning:
      'Whether the node agent keeps the files up to date: `true`, `false`, or an interval in seconds (10 at least).',
    default: '`false`',
  },
} as const satisfies Record<string, OptionRow>;

/** The name of an option. */
export type OptionName = keyof typeof volumeOptions;
