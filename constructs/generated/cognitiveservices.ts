// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Account`. */
export interface AccountProps extends KindProps<'cognitiveservices.azure.com/Account'> {}

/**
 * Microsoft.CognitiveServices/accounts, in a ResourceGroup.
 * `export()` gives `key1`, `key2`.
 * Versions of Azure's API: 2025-06-01.
 */
export class Account extends AzureResource<'cognitiveservices.azure.com/Account'> {
  constructor(scope: Construct, id: string, props: AccountProps) {
    super(scope, id, { ...props, kind: 'cognitiveservices.azure.com/Account' });
  }
}

/** Properties of `Deployment`. */
export interface DeploymentProps extends KindProps<'cognitiveservices.azure.com/Deployment'> {}

/**
 * Microsoft.CognitiveServices/accounts/deployments, in a Account.
 * Versions of Azure's API: 2025-06-01.
 */
export class Deployment extends AzureResource<'cognitiveservices.azure.com/Deployment'> {
  constructor(scope: Construct, id: string, props: DeploymentProps) {
    super(scope, id, { ...props, kind: 'cognitiveservices.azure.com/Deployment' });
  }
}

/** Properties of `Project`. */
export interface ProjectProps extends KindProps<'cognitiveservices.azure.com/Project'> {}

/**
 * Microsoft.CognitiveServices/accounts/projects, in a Account.
 * Versions of Azure's API: 2025-06-01.
 */
export class Project extends AzureResource<'cognitiveservices.azure.com/Project'> {
  constructor(scope: Construct, id: string, props: ProjectProps) {
    super(scope, id, { ...props, kind: 'cognitiveservices.azure.com/Project' });
  }
}
