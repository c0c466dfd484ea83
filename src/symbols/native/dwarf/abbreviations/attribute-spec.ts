/** An attribute of an abbreviation: what it is, how its value is stored, and the value itself of DW_FORM_implicit_const. */
export interface AttributeSpec {
  readonly attribute: number;
  readonly form: number;
  readonly implicit: number;
}
