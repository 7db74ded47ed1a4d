#!/bin/sh
etinspect --version
etinspect nosuch --version --format tsv
