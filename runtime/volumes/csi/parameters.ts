/**
 * A parameter of a SecretProviderClass, or a member of an object; docs/reference/key-vault-volumes.md lists the rows.
 */
export interface ParameterRow {
  readonly meaning: string;
  /** Meaning of an absent or empty value; undefined = the value is required. */
  readonly default?: string;
  /** Another spelling of the name. */
  readonly also?: string;
}

/** The parameters of a SecretProviderClass that the provider reads, by name. */
export const providerParameters = {
  keyvaultName: { meaning: 'Name of the vault: 3 to 24 letters, digits and hyphens.' },
  tenantId: { meaning: 'The directory (tenant) of the vault: a GUID or a domain name.', also: 'tenantID' },
  objects: { meaning: 'YAML with a list `array` of texts, each of them YAML with the members below.' },
  usePodIdentity: {
    meaning: "Whether to use the pod's identity, whose tokens the node daemon on this node issues.",
    default: '`false`',
  },
  useVMManagedIdentity: { meaning: 'Whether to use an identity of the machine.', default: '`false`' },
  userAssignedIdentityID: {
    meaning: "Client id of the machine's identity to use.",
    default: 'the system-assigned identity',
  },
  clientID: {
    meaning: "Client id of an application or identity that trusts the pod's service account (workload identity).",
    default: 'a service principal',
  },
  cloudName: {
    meaning:
      '`AzurePublicCloud`, `AzureUSGovernmentCloud`, `AzureChinaCloud`, `AzureGermanCloud` or `AzureStackCloud`, in any case.',
    default: "the node's setting, else `AzurePublicCloud`",
  },
  cloudEnvFileName: {
    meaning:
      "File that describes `AzureStackCloud`: only the file of the node's own settings, because tokens go to the hosts in it. Not used where the settings describe the cloud (`cloud`).",
    default: "the node's setting `AZURE_ENVIRONMENT_FILEPATH`",
  },
  useAzureTokenProxy: {
    meaning: 'Identity binding of AKS: the provider supports only `false`; with `true` the mount fails with a message.',
    default: '`false`',
  },
} as const satisfies Record<string, ParameterRow>;

/** The name of a parameter. */
export type ProviderParameter = keyof typeof providerParameters;

/** The members of an object in the parameter `objects`, by name. */
export const providerObjectMembers = {
  objectName: {
    meaning: 'Name of the object: 1 to 127 letters, digits and hyphens.',
    default: 'required, without `objectNamePattern` and `objectTag`',
  },
  objectType: { meaning: '`secret`, `key` or `cert`.' },
  objectNamePattern: {
    meaning:
      'Names of the objects, in any case: `*` stands for any characters and `?` for one, such as `app-*`; needs the permission `list`.',
    default: 'every name, with `objectTag`',
  },
  objectTag: {
    meaning: 'Tag of the objects, `<name>=<value>`, or `<name>` with any value; needs the permission `list`.',
    default: 'with and without tags, with `objectNamePattern`',
  },
  objectAlias: {
    meaning:
      'Path of the file in the volume, without `..`; with a pattern or tag it has `{name}` for the name of each object.',
    default: 'the name of the object',
  },
  objectVersion: { meaning: 'Id of a version, or `latest`.', default: 'the newest' },
  objectVersionHistory: {
    meaning:
      'With 2 and more (up to 100), the file is a directory of `0`, `1`, … with that many enabled versions, the newest first; needs the permission `list`.',
    default: '`1`',
  },
  objectFormat: { meaning: 'Format of a secret behind a certificate: `pem` or `pfx`.', default: '`pem`' },
  objectEncoding: {
    meaning: 'Encoding of the secret text: `utf-8`, or `base64` or `hex`, which the provider decodes.',
    default: '`utf-8`',
  },
  objectJsonKey: {
    meaning:
      'Member of a secret that is a JSON document, which becomes the file: its name, or a JSON Pointer such as `/db/password`.',
    default: 'the whole secret',
  },
  filePermission: { meaning: 'Mode of the file in octal, up to `0777`.', default: "the driver's, `0644`" },
} as const satisfies Record<string, ParameterRow>;

/** The name of a member. */
export type ProviderObjectMember = keyof typeof providerObjectMembers;
