/** So many deliveries are kept, and no more bytes of them, for so long: the newest. */
export const KEPT = { deliveries: 10_000, bytes: 256 * 1024 * 1024, days: 30 };
