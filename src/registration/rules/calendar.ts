/** The three parts as yyyy-mm-dd; undefined when there is no such day. */
export function dayOf(year = '', month = '', day = ''): string | undefined {
  if (!isDay(year, month, day)) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Whether the calendar has the day; years begin with 1. */
export function isDay(yearText: string, monthText: string, dayText: string): boolean {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** `hh:MM:ss`, two digits each. */
export function isTime(time: string): boolean {
  const [hours = 24, minutes = 60, seconds = 60] = time.split(':').map(Number);
  return hours <= 23 && minutes <= 59 && seconds <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
