/**
 * A line that GitHub Actions reads from the output of a step, such as `::error file=guests.csv,line=7::…`. What ends a
 * line, or a property, is escaped as its runner unescapes it, so that a text is never read as another command.
 */
export function workflowCommand(
  name: 'error' | 'warning',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name}${given.length > 0 ? ' ' : ''}${given.join(',')}::${escapeMessage(message)}`;
}

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
