. "$CASES/common"
transcript version
transcript --version
transcript version --help
