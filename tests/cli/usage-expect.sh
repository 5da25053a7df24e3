. "$CASES/common"
transcript probe --expect apple
transcript probe --expect =7
transcript probe --expect 'apple>7'
transcript probe --expect 'aple>=7'
transcript probe --expect 'frobnicate=7'
transcript probe --expect 'supportsFamily:=7'
transcript probe --expect 'apple='
transcript probe --expect 'apple=x'
transcript probe --expect 'apple=-1'
transcript probe --expect 'apple>=1007'
transcript probe --expect 'raytracing=maybe'
transcript probe --expect 'raytracing>=yes'
transcript probe --expect 'name>=Apple'
transcript probe --expect 'threadgroup_memory=32Q'
transcript probe --expect 'threadgroup_memory=32Kx'
transcript probe --expect 'threadgroup_memory=99999999999999999999'
transcript probe --expect 'threadgroup_memory=99999999999T'
transcript probe --expect 'threads_per_threadgroup=1024'
transcript probe --expect 'threads_per_threadgroup=1x2x3x4'
transcript probe --expect 'argument_buffers=two'
transcript probe --expect apple=5 --expect nothing=1
