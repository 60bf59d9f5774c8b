/** The attribute of the control within a row that takes the focus when the cursor moves to the row. */
export const ROW_FOCUS = { 'data-row-focus': true } as const;
