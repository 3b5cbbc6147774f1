/**
 * Connections that the kernel keeps for a listening program, which accepts one in each turn of its event loop. The kernel
 * takes net.core.somaxconn if that is less; it is 4096 since Linux 5.4. With Node's 511, whoever connects and resets in a
 * loop fills the queue: the kernel then drops the connections of others, which try again after a second or more.
 */
export const acceptQueue = 4096;
