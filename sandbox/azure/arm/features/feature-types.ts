/** Approval of a feature for a subscription: by Azure at once, or by its people. */
export type FeatureApproval = 'AutoApproval' | 'ApprovalRequired';

/** Writes that need a feature, and how their provider refuses them without it. */
export interface FeatureGate {
  /** ARM type, in any case of letters. */
  readonly type: string;
  /** Dotted path that asks for the feature when it has a value other than false. @default every write */
  readonly path?: string;
  /** Microsoft.Compute/EncryptionAtHost */
  readonly feature: string;
  readonly refusal: 'SubscriptionNotRegisteredForFeature' | 'PreviewFeatureNotRegistered' | 'InvalidParameter';
}
