/** On a pod: `true` lets the node agent restart the workload of the pod when its vault objects change. */
export const restartAnnotation = 'volumes.azimuth.dev/restart-on-change';

/** On the pod template of a restarted workload, with the name of the volume: the reason of the restart. */
export const restartedForPrefix = 'restarted-for.volumes.azimuth.dev/';
