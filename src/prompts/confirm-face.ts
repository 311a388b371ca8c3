import { hanging } from './wrap.ts';
import { type Face, isEnter } from './face.ts';

/** Yes or no, on No until somebody says otherwise. */
export function confirmFace(question: string): Face<boolean> {
  let yes = false;
  const answered = (answer: boolean) => ({ answer, said: answer ? 'Yes' : 'No' });
  return {
    draw({ width, paint, listens }) {
      const option = (label: string, on: boolean): string =>
        on ? `${paint.chosen('●')} ${label}` : paint.faint(`○ ${label}`);
      return [
        ...hanging('? ', question, width).map(paint.bold),
        `  ${option('Yes', yes)}  ${option('No', !yes)}`,
        paint.faint(listens ? '  y: yes · n: no · ←→ and Enter' : ''),
      ];
    },
    press(key) {
      if (key.name === 'y' || key.name === 'n') return answered(key.name === 'y');
      if (isEnter(key)) return answered(yes);
      if (key.name === 'left' || key.name === 'up') yes = true;
      if (key.name === 'right' || key.name === 'down') yes = false;
      if (key.name === 'tab') yes = !yes;
      return undefined;
    },
  };
}
