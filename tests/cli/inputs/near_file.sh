# If a file is missing, but its folder has one of almost the same name, the message names it.
cp testdata/small/run.etdp model.etdp
cp testdata/small/model.pte other.pte
mkdir folder
cp model.etdp folder/layers.etdp
refused etinspect summary mdoel.etdp
refused etinspect folder/layer.etdp
refused etinspect check ./Model.etdp
refused etinspect program ohter.pte
refused etinspect diff model.etdp mode.etdp
refused etinspect gate model.etdp modle.etdp
# The suffix is not part of the comparison, unless it is wrong itself.
refused etinspect model.etpd
refused etinspect a.etdp
# A folder that does not exist, and a link to no file, have no similar name.
refused etinspect flder/layers.etdp
ln -s nowhere link.etdp
refused etinspect link.etdp
# Names that a terminal would obey are not suggested.
nasty=$(printf 'run\033.etdp')
cp model.etdp "$nasty"
refused etinspect run.etdp
# Of equally near names, the first by name is suggested.
cp model.etdp n5.etdp
cp model.etdp n3.etdp
cp model.etdp n4.etdp
refused etinspect n6.etdp
