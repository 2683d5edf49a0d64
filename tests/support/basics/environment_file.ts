/** A file of settings with each kind of line that systemd knows. */
export const FILE = String.raw`# ODD_COMMENT=1
; ODD_COMMENT=2
ODD_A=one
 ODD_B = spaced value   
ODD_C=
ODD_D="a b \"q\" \$x \n keep \\ end"
ODD_E='raw $x \n'
ODD_F="a"'b' c "d"
ODD_G=a"b"c'd'
ODD_H=a\ b\
c  
ODD_I=end\ 
ODD_J="one
two"
ODD_K=a # b
ODD_L=$HOME ${"`id`"} $(id)
ODD_M="it's"
ODD_N="one \
two"
export ODD_O=1
ODD_P
ODD Q=1
# comment \

ODD_R="open
`;

/** The variables of `FILE`, as the service gets them. */
export const CASES: Record<string, string> = {
  ODD_A: "one",
  ODD_B: "spaced value",
  ODD_C: "",
  ODD_D: String.raw`a b "q" $x \n keep \ end`,
  ODD_E: String.raw`raw $x \n`,
  ODD_F: 'abc "d"',
  ODD_G: `a"b"c'd'`,
  ODD_H: "a bc",
  ODD_I: "end ",
  ODD_J: "one\ntwo",
  ODD_K: "a # b",
  ODD_L: "$HOME `id` $(id)",
  ODD_M: "it's",
  ODD_N: "one two",
  ODD_R: "open\n",
};

/** Warnings about `FILE`. */
export const WARNINGS = [
  'line 20: "export ODD_O" is not a name, so the line is ignored',
  "line 21: this is not NAME=value, so the line is ignored",
  'line 22: "ODD Q" is not a name, so the line is ignored',
  'line 23: the comment ends with "\\", so some versions of systemd skip the next line',
  "line 25: the quote is not closed",
  "",
];
