# Times, roles, parents, operators and modules of the events of each backend are those of a script that shares no code with
# etinspect.
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
for name in coreml_cnn ethosu_cnn nxp_cnn qnn_cnn vgf_cnn; do
    right=$(python3 data/truth.py testdata/backends/$name) || { echo "$name: $right"; exit 1; }
    echo "$name: $right"
done
