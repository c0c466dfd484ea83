/** An attribute of an abbreviation: its name, its form, and the value of a DW_FORM_implicit_const. */
export interface AttributeSpec {
  readonly attribute: number;
  readonly form: number;
  readonly implicit: number;
}
