import { xmlText } from './xlsx-escape.ts';

/** A comment on a cell, whose row and column are counted from 0. */
export interface CellComment {
  row: number;
  column: number;
  /** As formulas name the cell: `B7`. */
  reference: string;
  text: string;
}

const AUTHOR = 'eventreg';
const CHARACTERS_A_LINE = 40;
const MOST_LINES = 12;

/** The part that holds the texts of the comments. */
export function commentsXml(comments: readonly CellComment[]): string {
  const list = comments.map(
    ({ reference, text }) =>
      `<comment ref="${reference}" authorId="0"><text><r><t xml:space="preserve">${xmlText(text)}</t></r></text></comment>`,
  );
  return (
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<authors><author>${AUTHOR}</author></authors><commentList>${list.join('')}</commentList></comments>`
  );
}

/** The part that draws their boxes: without it spreadsheet programs call the file damaged. */
export function commentShapesXml(comments: readonly CellComment[]): string {
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"' +
    ' xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>' +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${comments.map(shapeXml).join('')}</xml>`
  );
}

function shapeXml({ row, column, text }: CellComment, at: number): string {
  const lines = Math.min(MOST_LINES, 2 + Math.ceil(text.length / CHARACTERS_A_LINE));
  const anchor = [column + 1, 15, row, 2, column + 4, 15, row + lines, 4].join(', ');
  return (
    `<v:shape id="_x0000_s${1025 + at}" type="#_x0000_t202" style="position:absolute;visibility:hidden"` +
    ' fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/>' +
    '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}
