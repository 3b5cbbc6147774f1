/** The document that kubelet reads (facts on Key Vault 1, "Reply"). */
export interface DriverAnswer {
  readonly status: 'Success' | 'Failure' | 'Not supported';
  readonly message?: string;
  readonly capabilities?: { readonly attach: boolean; readonly fsGroup: boolean; readonly selinuxRelabel: boolean };
}

/**
 * kubelet's own fsGroup pass would make the files writable to the group, so the driver sets the group itself. On SELinux
 * only the container runtime knows the label of a pod, so it is let relabel, as it is by default.
 */
const capabilities = { attach: false, fsGroup: false, selinuxRelabel: true } as const;

/** The answer to a command that needs no work; undefined for `mount` and `unmount`. */
export function plainAnswer(command: string | undefined): DriverAnswer | undefined {
  if (command === 'mount' || command === 'unmount') return undefined;
  if (command === 'init') return { status: 'Success', capabilities };
  return { status: 'Not supported' };
}

/**
 * One line of JSON. The exit code is 0 with every answer: kubelet goes by the status, and writes all arguments of a call that
 * ends with another code to its log, the client secret of a service principal included.
 */
export function writtenAnswer(answer: DriverAnswer): string {
  // JSON lets these two stand, which are line ends to some readers.
  return `${JSON.stringify(answer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
