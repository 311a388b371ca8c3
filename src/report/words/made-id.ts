/** As a UUID, in hex, or as a ULID. */
const MADE = /^(?:req[-_])?(?:[0-9a-f-]{16,64}|[0-9A-HJKMNP-TV-Z]{26})$/;

/** Whether an id that a service gives a request looks made, and so names nobody: some quote what they were asked. */
export const isMadeId = (id: string): boolean => MADE.test(id);
