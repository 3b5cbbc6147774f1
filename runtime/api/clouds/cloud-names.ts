/** The names of Azure's clouds, for programs and for constructs. */

/** Spellings of go-autorest, the Azure CLI, Terraform and ARM itself, in lower case, and the name of the cloud. */
const spellings = {
  azurepubliccloud: 'AzurePublicCloud',
  azurepublic: 'AzurePublicCloud',
  azurecloud: 'AzurePublicCloud',
  public: 'AzurePublicCloud',
  azureusgovernmentcloud: 'AzureUSGovernmentCloud',
  azureusgovernment: 'AzureUSGovernmentCloud',
  azuregovernment: 'AzureUSGovernmentCloud',
  usgovernment: 'AzureUSGovernmentCloud',
  azurechinacloud: 'AzureChinaCloud',
  azurechina: 'AzureChinaCloud',
  china: 'AzureChinaCloud',
  azuregermancloud: 'AzureGermanCloud',
  german: 'AzureGermanCloud',
} as const;

/** Name of a cloud with published endpoints. */
export type CloudName = (typeof spellings)[keyof typeof spellings];

/** The names of the clouds with published endpoints. */
export const cloudNames: readonly CloudName[] = [...new Set(Object.values(spellings))];
const bySpelling: ReadonlyMap<string, CloudName> = new Map(Object.entries(spellings));

/** The cloud of a usual spelling, in any case; '' is the public cloud. undefined for a name of no cloud. */
export function tryCloudName(name: string): CloudName | undefined {
  return name === '' ? 'AzurePublicCloud' : bySpelling.get(name.toLowerCase());
}

/** Whether a name is that of a cloud of somebody's own, described by a file. */
export const isStackCloud = (name: string): boolean => name.toLowerCase() === 'azurestackcloud';

/** The clouds that the page takes, as messages have them. */
export const portalCloudNames = `${cloudNames.join(', ')}, or AzureStackCloud for no links`;
