import type * as pulumi from '@pulumi/pulumi';
import { azureProvider } from './azure-provider.ts';
import type { Settings } from './settings.ts';

/** The types of the stacks' resources that have tags in Azure. */
const tagged: ReadonlySet<string> = new Set([
  'azure-native:containerservice:ManagedCluster',
  'azure-native:keyvault:Vault',
  'azure-native:managedidentity:UserAssignedIdentity',
]);

/**
 * The options of a component whose resources are in Azure: the provider of the stack, the setting `tags`, which its
 * resources get, and the setting `protect`, with which `pulumi destroy` refuses to delete them.
 *
 * @throws where a tag is not a text
 */
export function azureOptions(
  settings: Settings,
  subscriptionId = settings.text('subscriptionId'),
): pulumi.ComponentResourceOptions {
  const tags = settings.object<Record<string, unknown>>('tags') ?? {};
  const wrong = Object.entries(tags).find(([, value]) => typeof value !== 'string');
  if (wrong) throw new Error(`Expected the tag \`${wrong[0]}\` to be a text, got ${JSON.stringify(wrong[1])}`);
  return {
    providers: [azureProvider(subscriptionId)],
    ...(settings.boolean('protect') && { protect: true }),
    ...(Object.keys(tags).length > 0 && { transformations: [withTags(tags as Record<string, string>)] }),
  };
}

const withTags =
  (tags: Readonly<Record<string, string>>): pulumi.ResourceTransformation =>
  ({ type, props, opts }) =>
    tagged.has(type) ? { props: { ...props, tags: { ...tags, ...props['tags'] } }, opts } : undefined;
