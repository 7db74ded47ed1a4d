# The tour of make demo shows five screens that fit 100 columns, and ends with what to try next.
sh "$SCHEMA/../tests/tools/demo.sh" etinspect >tour || echo "exit $?"
grep -c '^[1-5]\. ' tour
grep '^\$ etinspect' tour
python3 -c 'print([line for line in open("tour", encoding="utf-8") if len(line) > 101])'
grep -c '^  etinspect' tour
