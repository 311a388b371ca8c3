// Made-up attendees, as a file has them and as they are sent.
import { open } from 'node:fs/promises';

export const HEADER =
  'persona,barcode,First name,Last name,E-mail,Mobile phone,Country,Company,Ticket type,Lunch,Date of birth,Number of guests'.split(
    ',',
  );

export const attendee = (n) => ({
  barcode: `B${String(n).padStart(7, '0')}`,
  first: 'Íñigo',
  last: `García ${n}`,
  email: `guest${n}@example.com`,
  phone: `+346${String(n).padStart(8, '0')}`,
});

export async function writeCsv(file, rows) {
  const handle = await open(file, 'w');
  const lines = [HEADER.join(',')];
  for (let n = 0; n < rows; n += 1) {
    const { barcode, first, last, email, phone } = attendee(n);
    lines.push(
      `visitor,${barcode},${first},${last},${email},${phone},ES,"Quay, Sons",Standard,Fish,1990-01-02,1`,
    );
    if (lines.length === 10_000) await handle.write(`${lines.splice(0).join('\n')}\n`);
  }
  await handle.write(`${lines.join('\n')}\n`);
  await handle.close();
}

/** What is sent of such a row. */
export function requestBody(n) {
  const { barcode, first, last, email, phone } = attendee(n);
  const fields = {
    first_name: first,
    last_name: last,
    email,
    phone,
    country: 'ES',
    company: 'Quay, Sons',
    ticket_type: 'Standard',
    meal: 'Fish',
    birth_date: '1990-01-02',
    guests: '1',
  };
  return JSON.stringify({ persona: 'visitor', fields, barcode });
}
