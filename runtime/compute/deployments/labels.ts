/** Field manager of the objects of deployments. */
export const deploymentsManager = 'azimuth-deployments';
/** Label of runs and of the objects of a deployment, for people. */
export const deploymentLabel = 'azimuth.dev/deployment';
/** Label of the objects of a deployment with their location, for people. */
export const locationLabel = 'azimuth.dev/location';
/** Annotation with the hash of the manifest that an object of a deployment was applied from. */
export const goalAnnotation = 'azimuth.dev/goal';
/** Annotation with the reconcile policy that an object had before its deployment detached it; '' for none. */
export const formerPolicyAnnotation = 'azimuth.dev/former-reconcile-policy';
