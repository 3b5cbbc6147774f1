// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface SitesSourcecontrolSpec {
  /** @default Azure's own value */
  branch?: string;
  /** @default Azure's own value */
  deploymentRollbackEnabled?: boolean;
  /** @default Azure's own value */
  gitHubActionConfiguration?: {
    codeConfiguration?: {
      runtimeStack?: string;
      runtimeVersion?: string;
    };
    containerConfiguration?: {
      imageName?: string;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      password?: SecretKeyReference;
      serverUrl?: string;
      username?: string;
    };
    generateWorkflowFile?: boolean;
    isLinux?: boolean;
  };
  /** @default Azure's own value */
  isGitHubAction?: boolean;
  /** @default Azure's own value */
  isManualIntegration?: boolean;
  /** @default Azure's own value */
  isMercurial?: boolean;
  /** @default Azure's own value */
  kind?: string;
  /** @default Azure's own value */
  repoUrl?: string;
  /** The Site that it is in, by construct or ARM id. */
  owner: KnownOwner<'web.azure.com/Site'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SitesSourcecontrol {
  spec: SitesSourcecontrolSpec;
  status?: ArmStatus;
}
