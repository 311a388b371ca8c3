import type { FieldError } from './error-shapes.ts';
import type { Switches } from './store/switches.ts';
import type { Checked } from './validate.ts';

/** The query of GET /registration once it is read. */
interface ListQuery {
  page: number;
  perPage: number;
  persona: string | undefined;
  barcode: string | undefined;
}

const PER_PAGE_MAXIMUM = 100;

/** Reads the query of GET /registration as the switches want it. */
export function checkListQuery(query: ReadonlyMap<string, string>, switches: Switches): Checked<ListQuery> {
  const page = readCount(query.get('page'), 1);
  const perPage = readCount(query.get('per_page'), 5);
  const errors: FieldError[] = [];
  if (page === undefined) errors.push({ field: 'page', message: 'must be a number from 1.' });
  if (perPage === undefined || perPage > PER_PAGE_MAXIMUM) {
    errors.push({ field: 'per_page', message: `must be a number from 1 to ${PER_PAGE_MAXIMUM}.` });
  }
  const persona = readPersonaFilter(query, switches.filterSpelling);
  if ('errors' in persona) errors.push(...persona.errors);
  if (page === undefined || perPage === undefined || 'errors' in persona || errors.length > 0) {
    return { errors };
  }
  return {
    value: {
      page,
      perPage: Math.min(perPage, switches.perPageCap),
      persona: persona.value,
      barcode: switches.barcodeFilter === 'honoured' ? query.get('barcode') : undefined,
    },
  };
}

function readCount(text: string | undefined, initial: number): number | undefined {
  if (text === undefined) return initial;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return count >= 1 ? count : undefined;
}

function readPersonaFilter(
  query: ReadonlyMap<string, string>,
  spelling: Switches['filterSpelling'],
): Checked<string | undefined> {
  if (spelling === 'none') return { value: undefined };
  if (spelling === 'both') return { value: query.get('persona') ?? query.get('pesona') };
  if (spelling === 'strict-persona') return strictFilter(query, 'persona', 'pesona');
  if (spelling === 'strict-pesona') return strictFilter(query, 'pesona', 'persona');
  return { value: query.get(spelling) };
}

function strictFilter(
  query: ReadonlyMap<string, string>,
  right: string,
  wrong: string,
): Checked<string | undefined> {
  if (query.has(wrong)) return { errors: [{ field: wrong, message: 'is not a parameter of this list.' }] };
  return { value: query.get(right) };
}
