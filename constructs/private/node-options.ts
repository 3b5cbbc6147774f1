/** Flags of Node in every container. */
export const nodeOptions = '';
